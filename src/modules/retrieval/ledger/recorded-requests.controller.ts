import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ReplayReport, RequestRecord } from './request-record.dto.js';
import { RecordedRequestsService } from './recorded-requests.service.js';

const REQUEST_ID = {
  name: 'request_id',
  description: 'The `request_id` of the answer, which is its `X-Request-ID`. The newest request under it counts.',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

@ApiTags('Retrieval')
@Controller('requests')
export class RecordedRequestsController {
  constructor(private readonly requests: RecordedRequestsService) {}

  /**
   * Read a past request.
   * @remarks What was asked and which chunks were found, for 30 days: ids, offsets and scores, never text of documents. Only the
   * caller's own requests are found, an API key's by that key alone. Results that the caller may not see any more are counted,
   * not shown. A request is there within a second of its answer.
   */
  @Get(':request_id')
  @Permit('retrieval:search', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'getRequest' })
  @ApiParam(REQUEST_ID)
  get(@Ctx() ctx: RequestContext, @Param('request_id') requestId: string): Promise<RequestRecord> {
    return this.requests.get(ctx, requestId);
  }

  /**
   * Replay a past request.
   * @remarks Searches again with the options that were in force then, defaults included, over the datasets that are still in
   * sight, and tells how the answer differs and why as far as that is known. Writes nothing: a replay is no request of its own.
   */
  @Post(':request_id/replay')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'replayRequest' })
  @ApiParam(REQUEST_ID)
  replay(
    @Ctx() ctx: RequestContext,
    @Param('request_id') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayReport> {
    return this.requests.replay(ctx, requestId, callerSignal(reply));
  }
}
