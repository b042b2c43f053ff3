import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ExplainRequestDto } from '../request/explain-request.dto.js';
import { ExplainResponse } from './explain-response.dto.js';
import { ExplainService } from './explain.service.js';
import { SearchOverview, SearchOverviewRequest } from './search-overview.dto.js';
import { SearchOverviewService } from './search-overview.service.js';

const EXAMPLE = {
  query: 'How long is the notice period?',
  dataset_ids: ['01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10'],
  top_k: 5,
  expected: { text: 'three months to the end of a quarter' },
};

@ApiTags('Retrieval')
@Controller('retrieval')
export class ExplainController {
  constructor(
    private readonly explanations: ExplainService,
    private readonly overviews: SearchOverviewService,
  ) {}

  /**
   * Explain a search.
   * @remarks Searches as `POST /retrieval/search` does, and explains what happened to the expected document, chunk or text: the first
   * reason in the order of the stages, place and score at each stage, every term of the query, and changes of the request that return it,
   * each of which was tried. If several chunks are expected, the one that got furthest is explained. What the caller may not see is treated
   * as not existing (`DOCUMENT_UNKNOWN`).
   */
  @Post('explain')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search', 3)
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'explainSearch' })
  @ApiBody({ type: ExplainRequestDto, examples: { missing: { summary: 'A text that was not found', value: EXAMPLE } } })
  explain(
    @Ctx() ctx: RequestContext,
    @Body() body: ExplainRequestDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExplainResponse> {
    return this.explanations.explain(ctx, body, callerSignal(reply));
  }

  /**
   * Describe a search.
   * @remarks Searches as `POST /retrieval/search` does, and describes the search without an expected document: what each stage leaves, which
   * words of the question occur nowhere, how many documents each filter removes, and the nearest passages that were left out, each with the
   * reason. For a document, chunk or text that should have been found, see `POST /retrieval/explain`; for documents by status, `GET
   * /documents/facets`. Recorded as a search for `GET /requests/{request_id}`.
   */
  @Post('overview')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search', 2)
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'describeSearch' })
  overview(
    @Ctx() ctx: RequestContext,
    @Body() body: SearchOverviewRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchOverview> {
    return this.overviews.look(ctx, body, callerSignal(reply));
  }
}
