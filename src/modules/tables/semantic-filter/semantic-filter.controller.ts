import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { SemanticFilterRequest, SemanticFilterResponse } from './semantic-filter.dto.js';
import { SemanticFilterService } from './semantic-filter.service.js';

/** Filters by meaning. */
@ApiTags('Tables')
@Controller('datasets/:id/semantic-filter')
export class SemanticFilterController {
  constructor(private readonly filters: SemanticFilterService) {}

  /**
   * Filter documents, chunks or rows by a predicate in words.
   * @remarks Each item gets one of three verdicts, with a score, the reason and evidence. First, conditions that the predicate states over
   * metadata (`department is finance`, `is in German`, `after 2023`, `is an open ticket`) or columns (`price above 20`) are checked; `readings`
   * shows them. Then the words of the text decide, as far as words can. The chat model, where one is configured, is asked about the rest, one
   * item per call and the most promising items first, within `max_model_calls` and the tenant's budget; its answer counts only where the text
   * contains what it quotes. An item that is not decided, also because of an error of a model, is `unknown`, never `false`.
   *
   * Certainty of a verdict: 1 by conditions, 0.98 by exact phrases, 0.9 by missing names and numbers, 0.9 by a model with its quotation, 0.85 by
   * all words of a statement in one sentence, 0.8 by none of its words in a text of its language. The score of a true verdict is its certainty,
   * that of a false verdict 1 minus its certainty. Negated parts (`does not mention`, `without`, `is not`) are inverted, and missing words alone
   * never prove them. The predicate is read in English, with the common phrases of German and Spanish.
   *
   * A request examines the newest 2,000 documents, or their first 5,000 chunks, or the first 10,000 rows, table by table and without rows that
   * sum up others. It reads at most 32 million characters and for about ten seconds; `stats` says what was left out. There are no pages: the
   * response contains at most `limit` items, true ones first, then unknown, then false ones. Only content that searches show is included.
   * Filtering rows also needs `tables:query`, and works only where the policy has `tables.enabled`.
   */
  @Post()
  @HttpCode(200)
  @Permit('retrieval:search')
  @RateLimit('search', 5)
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'filterSemantically' })
  filter(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: SemanticFilterRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SemanticFilterResponse> {
    return this.filters.filter(ctx, id, request, callerSignal(reply));
  }
}
