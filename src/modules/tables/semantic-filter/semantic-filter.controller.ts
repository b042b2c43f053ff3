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
   * @remarks Each item gets a verdict of three values, with a score, the reason and evidence. Cheap means come first: conditions that the
   * predicate states over metadata (`department is finance`, `is in German`, `after 2023`, `is an open ticket`) or columns (`price above 20`),
   * shown in `readings`; then the words of the text, which decide only what words can. The chat model, where one is configured, is asked about the
   * rest, one item a call, those first that come nearest to the predicate, within `max_model_calls` and the tenant's budget; its answer counts
   * only where the text contains what it quotes. An item that is not decided, also because of an error of a model, is `unknown`, never `false`.
   *
   * Certainty: conditions 1, exact phrases 0.98, missing names and numbers 0.9, a model with its quotation 0.9, all words of a statement in one
   * sentence 0.85, none of its words in a text of its language 0.8; the score of a false verdict is 1 minus that. Negated parts
   * (`does not mention`, `without`, `is not`) are inverted, and missing words alone never prove them. The predicate is read in English, with the
   * common phrases of German and Spanish.
   *
   * Examined are the newest 2,000 documents, their first 5,000 chunks, or the first 10,000 rows table by table without rows that sum up others, up
   * to 32 million characters and about ten seconds; `stats` says what was left out. There are no pages: `limit` bounds the items, true ones first,
   * then unknown, then false ones. Only content that searches show is included. Rows need `tables:query` as well, and exist where the policy has
   * `tables.enabled`.
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
