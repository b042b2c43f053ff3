import { Body, Controller, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { etagOf, ImportBody } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DatasetConfigExport } from './dataset-config-export.service.js';
import { DatasetConfigImport } from './dataset-config-import.service.js';
import { DatasetConfigImportRequest } from './dataset-config-import.dto.js';
import { DatasetConfig, DatasetConfigImportResult } from './dataset-config.dto.js';

const DISPOSITION = {
  'Content-Disposition': { description: 'Name of the file.', required: true, schema: { type: 'string' as const } },
};
const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description: 'Entity tag of the version of the dataset to change; 412 if the dataset has changed since.',
};

@ApiTags('Datasets')
@Controller('datasets/:id/config')
export class DatasetConfigController {
  constructor(
    private readonly exports: DatasetConfigExport,
    private readonly imports: DatasetConfigImport,
  ) {}

  /**
   * Export the configuration of a dataset.
   * @remarks Settings, categories, ingestion policy and embedding model as one document, which can be imported here or in another
   * installation.
   */
  @Get('export')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'exportDatasetConfig' })
  @ApiOkResponse({ type: DatasetConfig, description: 'The configuration.', headers: DISPOSITION })
  async export(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DatasetConfig> {
    const config = await this.exports.run(ctx, id);
    void reply.header('Content-Disposition', `attachment; filename="dataset-config-${config.source.dataset_id}.json"`);
    return config;
  }

  /**
   * Import the configuration of a dataset.
   * @remarks Applies an exported document to this dataset, completely or not at all: settings and categories replace the present ones, and the
   * ingestion policy is added as a new version (needs `policies:write`). Parts that are left out stay unchanged. `dataset.name` renames the
   * dataset.
   */
  @Post('import')
  @HttpCode(200)
  @Permit('datasets:write')
  @ImportBody()
  @ApiHeader(IF_MATCH)
  @ApiOperation({ operationId: 'importDatasetConfig' })
  @ApiConflictResponse({ description: 'Another dataset of the tenant has this name.' })
  async import(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() document: DatasetConfigImportRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DatasetConfigImportResult> {
    const { result, version } = await this.imports.run(ctx, id, document, ifMatch);
    void reply.header('ETag', etagOf(version, result));
    return result;
  }
}
