import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { FeedbackRequest, RequestFeedback } from './question.dto.js';
import { QuestionsService } from './questions.service.js';

const REQUEST_ID = {
  name: 'request_id',
  description:
    'The `request_id` of the answer, which is its `X-Request-ID`. If several requests have this id, the newest counts.',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

@ApiTags('Chat')
@Controller('requests')
export class FeedbackController {
  constructor(private readonly questions: QuestionsService) {}

  /**
   * Rate an answer.
   * @remarks Rates a chat or a search of the caller in the last 30 days (an API key: one of its own) and replaces an earlier rating. Members who
   * may write to the datasets that were asked see a negative rating counted; `reason` and `expected` are shown to members with
   * `conversations:review`.
   */
  @Post(':request_id/feedback')
  @HttpCode(200)
  @NeedsSpace()
  @WithoutIdempotency()
  @Permit('retrieval:search', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'rateRequest' })
  @ApiParam(REQUEST_ID)
  rate(
    @Ctx() ctx: RequestContext,
    @Param('request_id') requestId: string,
    @Body() request: FeedbackRequest,
  ): Promise<RequestFeedback> {
    return this.questions.rate(ctx, requestId, request);
  }
}
