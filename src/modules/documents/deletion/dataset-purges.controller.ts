import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DatasetPurgesService } from './dataset-purges.service.js';
import { DatasetPurge } from './purge.dto.js';

/** Removes the stored data of deleted documents. */
@ApiTags('Datasets')
@Controller('datasets')
export class DatasetPurgesController {
  constructor(private readonly purges: DatasetPurgesService) {}

  /**
   * Purge a dataset.
   * @remarks Removes what is left of the documents deleted until now: rows, texts, chunks, vectors of all generations, files of all
   * revisions. The purge runs in the background; read it until it is `completed`. Documents that are not deleted are not touched. A purge
   * can be requested again at any time; each one counts what it found.
   */
  @Post(':id/purge')
  @HttpCode(202)
  @Permit('documents:write')
  @ApiOperation({ operationId: 'purgeDataset' })
  purge(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetPurge> {
    return this.purges.purge(ctx, id);
  }

  /**
   * Read a purge.
   * @remarks Returns the status of a purge and the amount of data it found.
   */
  @Get(':id/purges/:purge_id')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDatasetPurge' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string, @Param('purge_id') purgeId: string): Promise<DatasetPurge> {
    return this.purges.read(ctx, id, purgeId);
  }
}
