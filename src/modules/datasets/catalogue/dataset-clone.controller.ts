import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders, etagOf } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DatasetCloneService } from './dataset-clone.service.js';
import { Dataset } from '../record/dataset.dto.js';
import { CloneDatasetRequest } from '../record/write-dataset.dto.js';

@ApiTags('Datasets')
@Controller('datasets')
export class DatasetCloneController {
  constructor(private readonly clones: DatasetCloneService) {}

  /**
   * Clone a dataset.
   * @remarks Creates a dataset of the caller with the settings, visibility, categories and ingestion policy (as version 1) of this one,
   * without its documents. The name must not be in use in the tenant (409).
   */
  @Post(':id/clone')
  @AnswerHeaders('Location', 'ETag')
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'cloneDataset' })
  @ApiCreatedResponse({ type: Dataset, description: 'The clone.' })
  @ApiConflictResponse({ description: 'Another dataset of the tenant has this name.' })
  async clone(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: CloneDatasetRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Dataset> {
    const made = await this.clones.clone(ctx, id, request);
    void reply
      .header('Location', `/api/v1/datasets/${made.record.id}`)
      .header('ETag', etagOf(made.version, made.record));
    return made.record;
  }
}
