import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ListTablesQuery } from './list-tables.dto.js';
import { DatasetTableDetail, DatasetTablePage } from './table.dto.js';
import { TablesService } from './tables.service.js';

/** Tables of documents. */
@ApiTags('Tables')
@Controller('datasets/:id/tables')
export class TablesController {
  constructor(private readonly tables: TablesService) {}

  /**
   * List the tables of a dataset.
   * @remarks Tables that ingestion has found in documents (CSV, TSV, spreadsheets, HTML, Word, PowerPoint, Markdown, JSON, ruled or clearly
   * aligned ones of PDF) where the policy has `tables.enabled`, by name. They are made of the text as it is kept, masks included, and come,
   * change and go with what is searchable of their document; those of deleted and quarantined documents are not there.
   */
  @Get()
  @Permit('tables:query')
  @ApiOperation({ operationId: 'listTables' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListTablesQuery,
  ): Promise<DatasetTablePage> {
    return this.tables.list(ctx, id, query);
  }

  /**
   * Read a table of a dataset.
   * @remarks Its columns with what their values are like, its first rows, and what was repaired to make a table of what the document has.
   */
  @Get(':table')
  @Permit('tables:query')
  @ApiOperation({ operationId: 'getTable' })
  @ApiParam({ name: 'table', description: 'The name of the table, as `GET /datasets/{id}/tables` lists it.' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('table') table: string,
  ): Promise<DatasetTableDetail> {
    return this.tables.read(ctx, id, table);
  }
}
