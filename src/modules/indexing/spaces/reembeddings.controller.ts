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
   * @remarks Makes vectors of the embedding model that the ingestion policy names (else the installation's own) from the stored chunks, without parsing anything again, checks them,
   * and then lets searches use them in one step. It goes on after this answers; read it until it is `completed`. Until then searches
   * are answered as before: by the former vectors where the installation has that model, else by keywords with the warning
   * `STALE_EMBEDDING`. One that is under way to the same model is given instead of a second one. For a dataset whose vectors are of
   * that model already, it makes what is missing.
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
   * @remarks Those of the dataset, the newest first.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listReembeddings' })
  list(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: ListQueryDto): Promise<ReembeddingPage> {
    return this.reembeddings.list(ctx, id, query.skip, query.limit);
  }

  /**
   * Read a re-embedding.
   * @remarks How far it is, and what the check before the switch found.
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
   * @remarks Gives up one that is under way. One that was switched is taken back in one step: the dataset has its former vectors again,
   * which are used as soon as the installation has their model again; until then it is searched by keywords. Not possible
   * (`documents.reembedding_final`) when the dataset was moved on since, or the former vectors were removed.
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
