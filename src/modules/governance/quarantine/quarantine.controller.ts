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
   * @remarks Documents change from `pending`, `processing`, `completed` or `failed` to `quarantined`. Once the request is answered,
   * searches no longer find them, and their ingestion has ended. Their text, chunks and original need `governance:read`; status and
   * timeline stay readable. Identifiers that are unknown or not visible (`documents.not_found`) and documents that are `cancelled` or
   * already `quarantined` (`documents.illegal_state`) are rejected one by one; the other documents are quarantined.
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
   * @remarks Quarantined documents of the datasets that the caller sees, with counts of the overdue ones (`until` has passed; they remain
   * in quarantine) and of those that wait for a second account. A `dataset_id` that the caller does not see gives an empty list.
   */
  @Get()
  @Permit('governance:read')
  @ApiOperation({ operationId: 'listQuarantine' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListQuarantineQuery): Promise<QuarantinePage> {
    return this.quarantines.list(ctx, query);
  }

  /**
   * Release documents.
   * @remarks Documents change from `quarantined` to `pending`: they are ingested again, and what was searchable before is searchable at
   * once. Identifiers that are unknown or not visible, and documents with another status, are rejected one by one; the other documents are
   * released. If the tenant has `release_needs_two`, the first call requests the release (202, `awaiting`), and the same call by another
   * account grants it; an API key counts as its account. If the account that made the request has lost the right to release, the next call
   * makes a new request.
   */
  @Post('release')
  @HttpCode(200)
  @Permit('governance:write', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'releaseDocuments' })
  @ApiOkResponse({ type: ReleaseResult, description: 'No document waits for another account.' })
  @ApiAcceptedResponse({
    type: ReleaseResult,
    description: 'Another account must grant the release of the documents in `awaiting`.',
  })
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
