import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { SearchRequestDto } from './request/search-request.dto.js';
import { SearchResponse } from './request/search-response.dto.js';
import { RecordedRetrieval } from './ledger/recorded-retrieval.service.js';
import { toSearchResponse } from './results/search-views.js';

const DATASET = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';
const SEARCH_EXAMPLES = {
  question: {
    summary: 'A question',
    value: { query: 'How long is the notice period?', dataset_ids: [DATASET], top_k: 5 },
  },
  filtered: {
    summary: 'Words in some documents only',
    value: {
      query: 'notice period',
      dataset_ids: [DATASET],
      search_method: 'keyword',
      filters: {
        type: 'and',
        filters: [
          { type: 'eq', key: 'metadata.department', value: 'legal' },
          { type: 'contains', key: 'tags', value: 'contract' },
        ],
      },
    },
  },
};

@ApiTags('Retrieval')
@Controller('retrieval')
export class RetrievalController {
  constructor(private readonly retrieval: RecordedRetrieval) {}

  /**
   * Search datasets.
   * @remarks Finds the chunks that answer a question, by keywords, by vectors or by both. The same request over the same visible chunks
   * gives the same results in the same order, independent of other stored data; equal scores are ordered by document id and position. The keyword
   * search compares all chunks of a dataset, as far as memory suffices (half of `SEARCH_CACHE_MB`). The vector search compares all chunks of a
   * dataset with up to about ten thousand; in a larger one it finds the nearest chunks approximately. A dataset that the caller may not see is
   * 404.
   */
  @Post('search')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'search' })
  @ApiBody({ type: SearchRequestDto, examples: SEARCH_EXAMPLES })
  async search(
    @Ctx() ctx: RequestContext,
    @Body() body: SearchRequestDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResponse> {
    const outcome = await this.retrieval.retrieve(ctx, body, { kind: 'search', signal: callerSignal(reply) });
    return toSearchResponse(ctx.requestId, outcome, body.include);
  }
}
