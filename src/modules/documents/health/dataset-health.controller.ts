import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DatasetHealthService } from './dataset-health.service.js';
import { DatasetHealth } from './dataset-health.dto.js';
import { IngestionStatistics } from '../attempts/ingestion-statistics.dto.js';
import { ListTagsQuery, TagPage } from '../changes/tags.dto.js';
import { IngestionStatisticsService } from '../attempts/ingestion-statistics.service.js';
import { TagsRepository } from '../changes/tags.repository.js';

/** Health, statistics and tags of a dataset. */
@ApiTags('Datasets')
@Controller('datasets')
export class DatasetHealthController {
  constructor(
    private readonly health: DatasetHealthService,
    private readonly statistics: IngestionStatisticsService,
    private readonly tags: TagsRepository,
  ) {}

  /**
   * Check the health of a dataset.
   * @remarks Returns only `{"status": "empty"}` while no document is completed. Otherwise returns counts, stale documents, whether the
   * vector store is complete, and advice.
   */
  @Get(':id/health')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getDatasetHealth' })
  check(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetHealth> {
    return this.health.check(ctx, id);
  }

  /**
   * Read the ingestion statistics of a dataset.
   * @remarks Documents by status and stage, throughput, durations per stage, tokens, bytes, failures by code.
   */
  @Get(':id/ingestion-statistics')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getIngestionStatistics' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<IngestionStatistics> {
    return this.statistics.read(ctx, id);
  }

  /**
   * List the tags of a dataset.
   * @remarks Tags with the number of their documents, the most frequent first.
   */
  @Get(':id/tags')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDatasetTags' })
  list(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: ListTagsQuery): Promise<TagPage> {
    return this.tags.list(ctx, id, query);
  }
}
