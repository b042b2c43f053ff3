import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ReplayReport, RequestRecord } from './request-record.dto.js';
import { RecordedRequestsService } from './recorded-requests.service.js';

const REQUEST_ID = {
  name: 'request_id',
  description:
    'The `request_id` of the response, also its `X-Request-ID`. If several requests have this id, the newest one is used.',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

@ApiTags('Retrieval')
@Controller('requests')
export class RecordedRequestsController {
  constructor(private readonly requests: RecordedRequestsService) {}

  /**
   * Read a past request.
   * @remarks Returns the request and the chunks that it found, with ids, offsets and scores but without text of documents. Requests are kept for
   * 30 days and are available within a second of their response. Only the caller's own requests are found; requests made with an API key are
   * found only with this key. Results that the caller may no longer see are counted but not shown.
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
   * @remarks Repeats the search with the options and defaults of the past request, over those of its datasets that the caller may still see.
   * Reports how the results differ and, as far as known, why. A replay is not recorded as a request.
   */
  @Post(':request_id/replay')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'replayRequest' })
  @ApiParam(REQUEST_ID)
  @ApiConflictResponse({ description: 'An option of the past request is no longer available.' })
  replay(
    @Ctx() ctx: RequestContext,
    @Param('request_id') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayReport> {
    return this.requests.replay(ctx, requestId, callerSignal(reply));
  }
}
