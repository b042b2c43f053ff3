import {
  Controller,
  Get,
  Headers,
  Param,
  Put,
  Query,
  Res,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiGoneResponse, ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DescribeEntityTag, etagOf, ListQueryDto, httpErrors } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  IngestionPolicyVersion,
  PolicyChangeQuery,
  PolicyDiff,
  PolicyDiffQuery,
  PolicyVersionPage,
  PresentIngestionPolicy,
} from '../schema/ingestion-policy.dto.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';
import { PolicyChanges } from './policy-changes.service.js';
import { PolicyHistory } from './policy-history.service.js';
import { CLEANED_UP, POLICY_EXAMPLES, POLICY_IF_MATCH, VERSION_PARAMETER } from '../schema/policy.openapi.js';

/**
 * The JSON body as it was sent: a policy is validated by its JSON Schema, with other answers than the rest of the interface.
 * @throws `http.malformed_json` when there is none
 */
const PolicyBody = createParamDecorator((_data: unknown, context: ExecutionContext): unknown => {
  const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
  if (body === undefined) throw httpErrors.malformed_json({ reason: 'it is empty' });
  return body;
});

@ApiTags('Ingestion policy')
@Controller('datasets/:id/ingestion-policy')
export class IngestionPolicyController {
  constructor(
    private readonly history: PolicyHistory,
    private readonly changes: PolicyChanges,
  ) {}

  /**
   * Read the ingestion policy.
   * @remarks The ingestion policy in force. A document keeps the version that it was ingested with. `ETag` begins with the version.
   */
  @Get()
  @Permit('datasets:read')
  @DescribeEntityTag()
  @ApiOperation({ operationId: 'getIngestionPolicy' })
  async read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PresentIngestionPolicy> {
    return tagged(reply, await this.history.current(ctx, id));
  }

  /**
   * Replace the ingestion policy.
   * @remarks Adds a version, even if nothing differs. Fields that are left out get their defaults. An invalid policy is answered 400 with
   * every problem in `errors`. Documents already ingested do not change: only new uploads and reingests use the new version.
   */
  @Put()
  @Permit('policies:write')
  @ApiConsumes('application/json')
  @ApiBody({ type: IngestionPolicySchema, examples: POLICY_EXAMPLES })
  @ApiHeader(POLICY_IF_MATCH)
  @ApiOperation({ operationId: 'replaceIngestionPolicy' })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @PolicyBody() policy: unknown,
    @Query() { comment }: PolicyChangeQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PresentIngestionPolicy> {
    return tagged(reply, await this.changes.replace(ctx, id, policy, { comment, ifMatch }));
  }

  /**
   * List policy versions.
   * @remarks The newest version first; the newest 50 are kept.
   */
  @Get('versions')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listIngestionPolicyVersions' })
  versions(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListQueryDto,
  ): Promise<PolicyVersionPage> {
    return this.history.list(ctx, id, query);
  }

  /**
   * Read a policy version.
   * @remarks 404 for a version that never existed, 410 for one that has been removed.
   */
  @Get('versions/:version')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getIngestionPolicyVersion' })
  @ApiParam(VERSION_PARAMETER)
  @ApiGoneResponse(CLEANED_UP)
  version(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('version') version: string,
  ): Promise<IngestionPolicyVersion> {
    return this.history.version(ctx, id, version);
  }

  /**
   * Compare policy versions.
   * @remarks Fields that differ between two versions. Without `from` and `to`, the newest version is compared with the one before it.
   */
  @Get('diff')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'compareIngestionPolicyVersions' })
  @ApiGoneResponse(CLEANED_UP)
  diff(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: PolicyDiffQuery): Promise<PolicyDiff> {
    return this.history.diff(ctx, id, query.from, query.to);
  }
}

/** Sets the entity tag and gives the version. */
function tagged(reply: FastifyReply, version: PresentIngestionPolicy): PresentIngestionPolicy {
  void reply.header('ETag', etagOf(version.version, version));
  return version;
}
