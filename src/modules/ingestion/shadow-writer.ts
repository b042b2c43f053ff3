import { Injectable } from '@nestjs/common';
import type { Embedder, ModelCaller } from '#libs/ai';
import type { ChunkId, DatasetId } from '#libs/common';
import { columnsOf, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { vectorBytes, VectorStore, type IndexRef } from '#libs/vector-store';
import { ChunkEmbedder } from './chunk-embedder.js';
import { VISIBLE_DOCUMENT, VISIBLE_DOCUMENT_COLUMNS, VisibleRows, type VisibleDocument } from './visible-rows.js';
import { ChunkEntity, ChunkSetEntity } from './chunk.entity.js';

const CHUNKS_PER_CALL = 32;

const LIST_DOCUMENTS = statement(
  VISIBLE_DOCUMENT,
  `SELECT ${VISIBLE_DOCUMENT_COLUMNS}
   FROM documents d WHERE d.dataset_id = $1 AND d.id > $2 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT $3`,
);
const LIST_TO_EMBED = statement(
  { ...columnsOf(ChunkEntity, 'id', 'body', 'heading_path', 'context'), ...columnsOf(ChunkSetEntity, 'document_id') },
  `SELECT c.id, c.body, c.heading_path, c.context, s.document_id FROM chunks c JOIN chunk_sets s ON s.id = c.chunk_set_id
   WHERE c.chunk_set_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2)
   ORDER BY c.chunk_set_id, c.ordinal LIMIT $3`,
);
const KEEP_VECTORS = statement(
  {},
  `WITH held AS MATERIALIZED (SELECT id FROM chunks WHERE id = ANY ($3::uuid[]) ORDER BY id FOR KEY SHARE)
   INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
   SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector) JOIN held ON held.id = v.id
   ON CONFLICT (chunk_id, space) DO NOTHING`,
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
      const chunks = await this.query(ctx, LIST_TO_EMBED, [sets, space, limit]);
      if (chunks.length === 0) return;
      const texts = chunks.map(({ document_id: documentId, ...chunk }) => ({ ...chunk, documentId }));
      const vectors = await this.chunkEmbedder.embed(embedder, texts, caller, new AbortController().signal);
      await this.keepVectors(
        ctx,
        space,
        chunks.map(({ id }, at) => ({ id, vector: vectors[at]! })),
      );
      await onBatch(chunks.length);
      await yieldAndFreeMemory();
    }
  }

  /** Chunks that a reingest has removed meanwhile need no vector. */
  private async keepVectors(
    ctx: RequestContext,
    space: string,
    rows: readonly { readonly id: ChunkId; readonly vector: Float32Array }[],
  ): Promise<void> {
    await this.unitOfWork.run(
      ctx,
      (manager) =>
        rowsOf(manager, KEEP_VECTORS, [
          ctx.tenantId,
          space,
          rows.map(({ id }) => id),
          rows.map(({ vector }) => vectorBytes(vector)),
        ]),
      { durable: false },
    );
  }

  /** Writes the rows of those documents that are not whole in the index. */
  async index(ctx: RequestContext, index: IndexRef, documents: readonly VisibleDocument[]): Promise<void> {
    await this.visible.writeMissing(ctx, this.store, index, documents);
  }
}
