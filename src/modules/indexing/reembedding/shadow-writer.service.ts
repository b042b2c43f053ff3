import { Injectable } from '@nestjs/common';
import type { Embedder, ModelCaller } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { statement, TenantRepository, UnitOfWork } from '#libs/database';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { VectorStore, type IndexRef } from '#libs/vector-store';
import { ChunkEmbedder, ChunkVectorsRepository } from '../../content/index.js';
import {
  VISIBLE_DOCUMENT,
  VISIBLE_DOCUMENT_COLUMNS,
  VisibleRows,
  type VisibleDocument,
} from '../rows/visible-rows.service.js';

const CHUNKS_PER_CALL = 32;

const LIST_DOCUMENTS = statement(
  VISIBLE_DOCUMENT,
  `SELECT ${VISIBLE_DOCUMENT_COLUMNS}
   FROM documents d WHERE d.dataset_id = $1 AND d.id > $2 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT $3`,
);
/**
 * Writes the chunks that search shows into the embedding space of a model: vectors from their stored texts, rows into
 * the index of that space under the generation that is shown. What is there already stays, so it may be begun again at any point.
 */
@Injectable()
export class ShadowWriter extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly chunkEmbedder: ChunkEmbedder,
    private readonly vectors: ChunkVectorsRepository,
    private readonly store: VectorStore,
    private readonly visible: VisibleRows,
  ) {
    super(unitOfWork);
  }

  /** The next searchable documents of a dataset by id. */
  async listDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    after: string,
    limit: number,
  ): Promise<VisibleDocument[]> {
    return this.query(ctx, LIST_DOCUMENTS, [datasetId, after, limit]);
  }

  /** Makes the vectors that the documents lack; `onBatch` with the number of chunks after each call of the model. */
  async embed(
    ctx: RequestContext,
    embedder: Embedder,
    documents: readonly VisibleDocument[],
    onBatch: (chunks: number) => Promise<void>,
  ): Promise<void> {
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
      await onBatch(chunks.length);
      await yieldAndFreeMemory();
    }
  }

  /** Writes the rows of those documents that are not whole in the index. */
  async index(ctx: RequestContext, index: IndexRef, documents: readonly VisibleDocument[]): Promise<void> {
    await this.visible.writeMissing(ctx, this.store, index, documents);
  }
}
