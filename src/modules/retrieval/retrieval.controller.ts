import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { SearchRequestDto } from './dto/search-request.dto.js';
import { SearchResponse } from './dto/search-response.dto.js';
import { RetrievalService } from './retrieval.service.js';
import { toSearchResponse } from './search-views.js';

@ApiTags('retrieval')
@Controller('retrieval')
export class RetrievalController {
  constructor(private readonly retrieval: RetrievalService) {}

  /**
   * Finds the chunks that answer a question, by keywords, by vectors or by both. The same request over the same visible chunks
   * gives the same results in the same order; ties fall by document id and position. Only datasets that the caller sees can be
   * named, any other is 404.
   */
  @Post('search')
  @HttpCode(200)
  @Permit('retrieval:search', { outsider: 'not_found' })
  @RateLimit('search')
  @WithoutIdempotency()
  @ApiOperation({ summary: 'Search datasets', operationId: 'search' })
  async search(
    @Ctx() ctx: RequestContext,
    @Body() body: SearchRequestDto,
    @Req() request: FastifyRequest,
  ): Promise<SearchResponse> {
    const outcome = await this.retrieval.retrieve(ctx, body, { signal: request.signal });
    return toSearchResponse(ctx.requestId, outcome, body.include);
  }
}
