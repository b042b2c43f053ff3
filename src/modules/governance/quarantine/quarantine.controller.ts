import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { BulkResult } from '../../documents/index.js';
import {
  ListQuarantineQuery,
  QuarantinePage,
  QuarantineRequest,
  ReleaseRequest,
  ReleaseResult,
} from './quarantine.dto.js';
import { QuarantineService } from './quarantine.service.js';

@ApiTags('Governance')
@Controller('governance/quarantine')
export class QuarantineController {
  constructor(private readonly quarantines: QuarantineService) {}

  /**
   * Quarantine documents.
   * @remarks `pending`, `processing`, `completed` or `failed` → `quarantined`. No search shows them any more when this answers, and
   * the work on them ends. Their text, chunks and file need `governance:read`; status and timeline stay readable. Ids that are
   * unknown or not visible (`documents.not_found`) and documents that are `cancelled` or already `quarantined`
   * (`documents.illegal_state`) are rejected one by one; the rest goes on.
   */
  @Post()
  @HttpCode(200)
  @Permit('governance:write', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'quarantineDocuments' })
  quarantine(@Ctx() ctx: RequestContext, @Body() request: QuarantineRequest): Promise<BulkResult> {
    return this.quarantines.quarantine(ctx, request);
  }

  /**
   * List the quarantine.
   * @remarks Quarantined documents of the datasets that the caller sees, with how many are overdue (`until` has passed; they stay out) and
   * how many wait for a second account. A `dataset_id` that the caller does not see gives an empty list.
   */
  @Get()
  @Permit('governance:read')
  @ApiOperation({ operationId: 'listQuarantine' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListQuarantineQuery): Promise<QuarantinePage> {
    return this.quarantines.list(ctx, query);
  }

  /**
   * Release documents.
   * @remarks `quarantined` → `pending`: they are ingested again, and what they showed before is searchable at once. Ids that are
   * unknown or not visible, and documents in another state, are rejected one by one; the rest goes on.
   * Where the tenant says `release_needs_two`, the first call asks (202, `awaiting`) and the same call by another account grants; an
   * API key counts as its account. A release that was asked for by an account without the right to it any more is asked for anew.
   */
  @Post('release')
  @HttpCode(200)
  @Permit('governance:write', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'releaseDocuments' })
  @ApiOkResponse({ type: ReleaseResult, description: 'Nothing waits for another account.' })
  @ApiAcceptedResponse({ type: ReleaseResult, description: 'Another account must grant what is `awaiting`.' })
  async release(
    @Ctx() ctx: RequestContext,
    @Body() request: ReleaseRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReleaseResult> {
    const result = await this.quarantines.release(ctx, request.document_ids);
    if (result.awaiting.length > 0) void reply.status(202);
    return result;
  }
}
