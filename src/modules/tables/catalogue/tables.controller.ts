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
   * @remarks Lists, ordered by name, the tables that ingestion found in documents (CSV, TSV, spreadsheets, HTML, Word, PowerPoint, Markdown,
   * JSON, ruled or clearly aligned tables of PDF) where the policy has `tables.enabled`. Their values come from the stored text, with masks
   * applied. They appear, change and disappear together with what is searchable of their document; tables of deleted and quarantined documents
   * are not listed.
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
   * @remarks Returns the columns of the table with a profile of their values, its first rows, and the repairs that were made to read it.
   */
  @Get(':table')
  @Permit('tables:query')
  @ApiOperation({ operationId: 'getTable' })
  @ApiParam({ name: 'table', description: 'Name of the table, as in `GET /datasets/{id}/tables`.' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('table') table: string,
  ): Promise<DatasetTableDetail> {
    return this.tables.read(ctx, id, table);
  }
}
