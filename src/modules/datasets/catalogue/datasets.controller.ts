import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders, DescribeEntityTag, etagOf } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { CREATE_EXAMPLES, IF_MATCH } from './dataset-requests.openapi.js';
import { DatasetCreationService } from './dataset-creation.service.js';
import { DatasetDeletionService } from '../deletion/dataset-deletion.service.js';
import { DatasetUpdateService } from './dataset-update.service.js';
import { DatasetsService, type VersionedDataset } from './datasets.service.js';
import { DatasetCategories, SetDatasetCategoriesRequest } from '../categories/category.dto.js';
import { Dataset, DatasetDeletion, DatasetPage } from '../record/dataset.dto.js';
import { ListDatasetsQuery } from './list-datasets.dto.js';
import { CreateDatasetRequest, UpdateDatasetRequest } from '../record/write-dataset.dto.js';

@ApiTags('Datasets')
@Controller('datasets')
export class DatasetsController {
  constructor(
    private readonly datasets: DatasetsService,
    private readonly creation: DatasetCreationService,
    private readonly updates: DatasetUpdateService,
    private readonly deletions: DatasetDeletionService,
  ) {}

  /**
   * Create a dataset.
   * @remarks The caller becomes the owner. The name must not be in use in the tenant (409).
   */
  @Post('/')
  @AnswerHeaders('Location', 'ETag')
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'createDataset' })
  @ApiBody({ type: CreateDatasetRequest, examples: CREATE_EXAMPLES })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() request: CreateDatasetRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Dataset> {
    const made = await this.creation.create(ctx, request);
    void reply.header('Location', `/api/v1/datasets/${made.record.id}`);
    return tagged(reply, made);
  }

  /**
   * List datasets.
   * @remarks The datasets that the caller sees. A caller without `datasets:read` gets an empty list.
   */
  @Get('/')
  @Permit('datasets:read', { emptyWithoutPermission: true })
  @ApiOperation({ operationId: 'listDatasets' })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListDatasetsQuery): Promise<DatasetPage> {
    return this.datasets.list(ctx, query);
  }

  /**
   * Read a dataset.
   * @remarks `ETag` is `W/"<version>.<digest>"`. `If-Match` compares the version, which counts changes of the settings; `If-None-Match`
   * compares the digest, which covers the whole answer.
   */
  @Get(':id')
  @Permit('datasets:read')
  @DescribeEntityTag()
  @ApiOperation({ operationId: 'getDataset' })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Dataset> {
    return tagged(reply, await this.datasets.get(ctx, id));
  }

  /**
   * Change a dataset.
   * @remarks JSON Merge Patch (RFC 7396). An empty patch changes nothing. Only the owner or an administrator may change who sees the dataset.
   */
  @Patch(':id')
  @Permit('datasets:write')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiHeader(IF_MATCH)
  @ApiOperation({ operationId: 'updateDataset' })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() patch: UpdateDatasetRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Dataset> {
    return tagged(reply, await this.updates.update(ctx, id, patch, ifMatch));
  }

  /**
   * Delete a dataset.
   * @remarks Only for the owner or an administrator. The dataset disappears at once; its storage is freed in the background.
   */
  @Delete(':id')
  @HttpCode(202)
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'deleteDataset' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetDeletion> {
    return this.deletions.delete(ctx, id);
  }

  /**
   * Read the categories of a dataset.
   * @remarks The categories that the dataset itself belongs to.
   */
  @Get(':id/categories')
  @Permit('datasets:read')
  @DescribeEntityTag()
  @ApiOperation({ operationId: 'getDatasetCategories' })
  async getCategories(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DatasetCategories> {
    return taggedCategories(reply, await this.datasets.get(ctx, id));
  }

  /**
   * Replace the categories of a dataset.
   * @remarks The given categories replace all present ones.
   */
  @Put(':id/categories')
  @Permit('datasets:write')
  @ApiHeader(IF_MATCH)
  @ApiOperation({ operationId: 'setDatasetCategories' })
  async setCategories(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { category_ids: wanted }: SetDatasetCategoriesRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DatasetCategories> {
    return taggedCategories(reply, await this.updates.update(ctx, id, { category_ids: wanted }, ifMatch));
  }
}

/** Sets the entity tag and gives the record. */
function tagged(reply: FastifyReply, { record, version }: VersionedDataset): Dataset {
  void reply.header('ETag', etagOf(version, record));
  return record;
}

function taggedCategories(reply: FastifyReply, { record, version }: VersionedDataset): DatasetCategories {
  const shown = { category_ids: record.category_ids };
  void reply.header('ETag', etagOf(version, shown));
  return shown;
}
