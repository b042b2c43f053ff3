import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, ListQueryDto } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { Reembedding, ReembeddingPage } from './reembedding.dto.js';
import { ReembeddingsService } from './reembeddings.service.js';

/** Moves datasets to the embedding model that their policy names. */
@ApiTags('Datasets')
@Controller('datasets/:id/reembeddings')
export class ReembeddingsController {
  constructor(private readonly reembeddings: ReembeddingsService) {}

  /**
   * Re-embed a dataset.
   * @remarks Embeds the stored chunks with the model that the ingestion policy names (or else the default model of the installation),
   * checks the new vectors, and then switches searches to them in one step. Documents are not parsed again. The re-embedding runs in the
   * background; read it until it is `completed`. Until then searches work as before: with the former vectors if the installation has their
   * model, else by keywords with the warning `STALE_EMBEDDING`. If a re-embedding to the same model is running, that one is returned. If
   * the dataset already has vectors of that model, only missing ones are made.
   */
  @Post()
  @NeedsSpace()
  @HttpCode(202)
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'reembedDataset' })
  start(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Reembedding> {
    return this.reembeddings.start(ctx, id);
  }

  /**
   * List re-embeddings.
   * @remarks Re-embeddings of the dataset, the newest first.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listReembeddings' })
  list(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: ListQueryDto): Promise<ReembeddingPage> {
    return this.reembeddings.list(ctx, id, query.skip, query.limit);
  }

  /**
   * Read a re-embedding.
   * @remarks Returns the progress, and the result of the check before the switch.
   */
  @Get(':reembedding_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getReembedding' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('reembedding_id') reembeddingId: string,
  ): Promise<Reembedding> {
    return this.reembeddings.read(ctx, id, reembeddingId);
  }

  /**
   * Roll a re-embedding back.
   * @remarks Cancels a running re-embedding. One that was switched is undone in one step: the dataset gets its former vectors back. If the
   * installation no longer has their model, the dataset is searched by keywords until it has it again. Not possible
   * (`documents.reembedding_final`) if another re-embedding has moved the dataset since, or the former vectors were removed.
   */
  @Post(':reembedding_id/rollback')
  @HttpCode(200)
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'rollBackReembedding' })
  rollBack(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('reembedding_id') reembeddingId: string,
  ): Promise<Reembedding> {
    return this.reembeddings.rollBack(ctx, id, reembeddingId);
  }
}
