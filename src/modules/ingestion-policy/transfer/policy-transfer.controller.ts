import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiGoneResponse, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DescribeEntityTag, etagOf, TakesForm, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ExportPolicyQuery } from './export-policy.dto.js';
import { PolicyChangeQuery, PresentIngestionPolicy, RollbackPolicyRequest } from '../schema/ingestion-policy.dto.js';
import { PolicyChanges } from '../policy/policy-changes.service.js';
import { writePolicyFile } from './policy-file.js';
import { PolicyHistory } from '../policy/policy-history.service.js';
import { PolicyImport } from './policy-import.service.js';
import { CLEANED_UP, EXPORTED_FILE, POLICY_FILE_FORM, POLICY_IF_MATCH } from '../schema/policy.openapi.js';

/** Rolls back, imports and exports policies. */
@ApiTags('Ingestion policy')
@Controller('datasets/:id/ingestion-policy')
export class PolicyTransferController {
  constructor(
    private readonly history: PolicyHistory,
    private readonly changes: PolicyChanges,
    private readonly imports: PolicyImport,
  ) {}

  /**
   * Roll back the ingestion policy.
   * @remarks Adds a copy of an earlier version as a new version, which names it in `source_version`. 404 for a version that never existed, 410
   * for one that has been removed.
   */
  @Post('rollback')
  @HttpCode(200)
  @Permit('policies:write')
  @ApiHeader(POLICY_IF_MATCH)
  @ApiOperation({ operationId: 'rollBackIngestionPolicy' })
  @ApiGoneResponse(CLEANED_UP)
  async rollBack(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { version, comment }: RollbackPolicyRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PresentIngestionPolicy> {
    const made = await this.changes.rollBack(ctx, id, version, { comment, ifMatch });
    void reply.header('ETag', etagOf(made.version, made));
    return made;
  }

  /**
   * Import an ingestion policy.
   * @remarks Adds the policy of a file as a new version, as `PUT` does. A file that cannot be read, or an invalid policy, is answered 400
   * with every problem in `errors`. `Idempotency-Key` compares the content of the file.
   */
  @Post('import')
  @HttpCode(200)
  @Permit('policies:write')
  @WithoutIdempotency({ handledByRoute: true })
  @TakesForm()
  @ApiBody({ schema: POLICY_FILE_FORM })
  @ApiHeader(POLICY_IF_MATCH)
  @ApiOperation({ operationId: 'importIngestionPolicy' })
  async import(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Query() { comment }: PolicyChangeQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PresentIngestionPolicy> {
    const { version, replayed } = await this.imports.run(ctx, id, request, { comment, ifMatch });
    void reply.header('ETag', etagOf(version.version, version));
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return version;
  }

  /**
   * Export the ingestion policy.
   * @remarks The policy in force as a file, which `import` and `PUT` accept.
   */
  @Get('export')
  @Permit('datasets:read')
  @DescribeEntityTag()
  @ApiOperation({ operationId: 'exportIngestionPolicy' })
  @ApiOkResponse(EXPORTED_FILE)
  async export(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() { format }: ExportPolicyQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { version, policy } = await this.history.export(ctx, id);
    void reply.header('ETag', etagOf(version, { format, policy }));
    return new StreamableFile(Buffer.from(writePolicyFile(policy, format)), {
      type: `application/${format}; charset=utf-8`,
      disposition: `attachment; filename="ingestion-policy-v${version}.${format}"`,
    });
  }
}
