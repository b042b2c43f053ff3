import { Injectable } from '@nestjs/common';
import type { Embedder, ModelCaller } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { VectorStore, type IndexRef } from '#libs/vector-store';
import { ChunkEmbedder, ChunkVectorsRepository } from '../../content/index.js';
import { VisibleDocuments, type VisibleDocument } from '../rows/visible-documents.repository.js';
import { VisibleRows } from '../rows/visible-rows.service.js';

const CHUNKS_PER_CALL = 32;

/**
 * Writes shown chunks into the embedding space of a model: makes vectors from their stored texts, and writes rows into the index of that
 * space under the shown generation. Existing vectors and rows stay, so it can be started again at any point.
 */
@Injectable()
export class ShadowWriter {
  constructor(
    private readonly documents: VisibleDocuments,
    private readonly chunkEmbedder: ChunkEmbedder,
    private readonly vectors: ChunkVectorsRepository,
    private readonly store: VectorStore,
    private readonly visible: VisibleRows,
  ) {}

  /** The next searchable documents of a dataset by id. */
  async listDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    after: string,
    limit: number,
  ): Promise<VisibleDocument[]> {
    return this.documents.listAfter(ctx, datasetId, after, limit);
  }

  /** Makes missing vectors of the documents; yields the number of chunks after each call of the model. */
  async *embed(ctx: RequestContext, embedder: Embedder, documents: readonly VisibleDocument[]): AsyncGenerator<number> {
    const { space, maxBatchSize } = embedder.descriptor;
    const sets = documents.map((document) => document.visible_chunk_set_id);
    const limit = Math.min(CHUNKS_PER_CALL, maxBatchSize);
    const datasetIds = [...new Set(documents.map(({ dataset_id: datasetId }) => datasetId))];
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds, purpose: 'reembedding' };
    for (;;) {
      const chunks = await this.vectors.listLacking(ctx, sets, space, limit);
      if (chunks.length === 0) return;
      const vectors = await this.chunkEmbedder.embed(embedder, chunks, caller, new AbortController().signal);
      await this.vectors.keep(
        ctx,
        space,
        chunks.map(({ id }, at) => ({ id, vector: vectors[at]! })),
      );
      yield chunks.length;
      await yieldAndFreeMemory();
    }
  }

  /** Writes the rows of those documents that are incomplete in the index. */
  async index(ctx: RequestContext, index: IndexRef, documents: readonly VisibleDocument[]): Promise<void> {
    await this.visible.writeMissing(ctx, this.store, index, documents);
  }
}
