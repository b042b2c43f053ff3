import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiExtension, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, IgnoresUnknownParameters, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { CreateEmbeddingsRequest, EmbeddingList } from './embeddings.dto.js';
import { EmbeddingsService } from './embeddings.service.js';

@ApiTags('Integrations')
@IgnoresUnknownParameters()
@Controller('embeddings')
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  /**
   * Embed texts.
   * @remarks OpenAI's `POST /embeddings`: its SDKs work with `{base_url}/api/v1` as their base URL. The vectors are the same as those of ingested
   * documents (`input_type: document`) and of questions in searches (`input_type: query`). OpenAI's options that are not listed here are accepted
   * without effect.
   */
  @Post()
  @HttpCode(200)
  @Permit('retrieval:search')
  @RateLimit('search')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'createEmbeddings' })
  @ApiExtension('x-unknown-fields', 'ignored')
  @ApiNotFoundResponse({ description: 'There is no such embedding model.' })
  create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateEmbeddingsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EmbeddingList> {
    return this.embeddings.create(ctx, body, callerSignal(reply));
  }
}
