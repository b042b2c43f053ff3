import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { ChunkId, ChunkSetId, DatasetId } from '#libs/common';
import { rowsOf, StoreIntents, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { VectorStore, type IndexRef } from '#libs/vector-store';
import { breatheDeeply } from './attempt-run.js';
import { vectorBytes, type ChunkToIndex } from './chunk-set.repository.js';
import { EmbedStage } from './embed.stage.js';
import { toIndexedChunk } from './indexed-chunk.js';
import { MetadataSync } from './metadata-sync.js';
import type { VisibleDocument } from './reindex.js';

const CHUNKS_PER_CALL = 32;
const ROWS_PER_WRITE = 256;
const WRITE_DEADLINE_MS = 60_000;

/** A document that search shows, with what tells whether it changed meanwhile. */
export interface ShadowedDocument extends VisibleDocument {
  readonly metadata_seq: string;
}

interface ChunkOfSet extends ChunkToIndex {
  readonly chunk_set_id: ChunkSetId;
}

/**
 * Writes the chunks that search shows into the embedding space of the installation: vectors from their stored texts, rows into
 * the index of that space under the generation that is shown. What is there already stays, so it may be begun again at any point.
 */
@Injectable()
export class ShadowWriter extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly stage: EmbedStage,
    private readonly embedder: Embedder,
    private readonly store: VectorStore,
    private readonly metadata: MetadataSync,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

  /** The next searchable documents of a dataset by id. */
  async listDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    after: string,
    limit: number,
  ): Promise<ShadowedDocument[]> {
    return this.query<ShadowedDocument>(
      ctx,
      `SELECT id, dataset_id, name, media_type, language, created_at, tags, metadata, metadata_seq, visible_generation,
         visible_chunk_set_id, chunk_count
       FROM documents WHERE dataset_id = $1 AND id > $2 AND visible_generation IS NOT NULL AND deleted_at IS NULL
       ORDER BY id LIMIT $3`,
      [datasetId, after, limit],
    );
  }

  /** Makes the vectors that the documents lack; `onBatch` with the number of chunks after each call of the model. */
  async embed(
    ctx: RequestContext,
    documents: readonly ShadowedDocument[],
    onBatch: (chunks: number) => Promise<void>,
  ): Promise<void> {
    const { space, maxBatchSize } = this.embedder.descriptor;
    const sets = documents.map((document) => document.visible_chunk_set_id);
    const limit = Math.min(CHUNKS_PER_CALL, maxBatchSize);
    for (;;) {
      const chunks = await this.query<{ id: ChunkId; body: string; heading_path: string[] }>(
        ctx,
        `SELECT c.id, c.body, c.heading_path FROM chunks c
         WHERE c.chunk_set_id = ANY ($1::uuid[])
           AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2)
         ORDER BY c.chunk_set_id, c.ordinal LIMIT $3`,
        [sets, space, limit],
      );
      if (chunks.length === 0) return;
      const vectors = await this.stage.embed(chunks, new AbortController().signal);
      await this.keepVectors(
        ctx,
        space,
        chunks.map(({ id }, at) => ({ id, vector: vectors[at]! })),
      );
      await onBatch(chunks.length);
      await breatheDeeply();
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
        rowsOf(
          manager,
          `WITH held AS MATERIALIZED (SELECT id FROM chunks WHERE id = ANY ($3::uuid[]) ORDER BY id FOR KEY SHARE)
           INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
           SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector) JOIN held ON held.id = v.id
           ON CONFLICT (chunk_id, space) DO NOTHING`,
          [ctx.tenantId, space, rows.map(({ id }) => id), rows.map(({ vector }) => vectorBytes(vector))],
        ),
      { durable: false },
    );
  }

  /** Writes the rows of those documents that are not whole in the index. */
  async index(ctx: RequestContext, index: IndexRef, documents: readonly ShadowedDocument[]): Promise<void> {
    const lacking = await this.listLacking(index, documents);
    if (lacking.length === 0) return;
    const bySet = new Map(lacking.map((document) => [document.visible_chunk_set_id, document]));
    const limit = Math.min(ROWS_PER_WRITE, this.store.capabilities.maxBatchRows);
    for (let last: ChunkOfSet | undefined; ;) {
      const rows = await this.listRows(ctx, [...bySet.keys()], index.spaceId, last, limit);
      if (rows.length === 0) break;
      const indexed = rows.map((row) => {
        const document = bySet.get(row.chunk_set_id)!;
        return toIndexedChunk(document, document.visible_generation, row);
      });
      await this.store.write(index, indexed, { deadlineMs: WRITE_DEADLINE_MS });
      last = rows.at(-1);
      await breatheDeeply();
    }
    await this.followUp(ctx, lacking);
  }

  private async listLacking(index: IndexRef, documents: readonly ShadowedDocument[]): Promise<ShadowedDocument[]> {
    const generations = documents.map(({ id, visible_generation: generation }) => ({ documentId: id, generation }));
    const present = new Map<string, number>();
    for await (const { documentId } of this.store.listIds(index, { generations })) {
      present.set(documentId, (present.get(documentId) ?? 0) + 1);
    }
    return documents.filter(({ id, chunk_count: count }) => (present.get(id) ?? 0) !== count);
  }

  private async listRows(
    ctx: RequestContext,
    sets: readonly ChunkSetId[],
    space: string,
    last: ChunkOfSet | undefined,
    limit: number,
  ): Promise<ChunkOfSet[]> {
    return this.query<ChunkOfSet>(
      ctx,
      `SELECT c.chunk_set_id, c.id, c.ordinal, c.terms, v.vector FROM chunks c
       JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
       WHERE c.chunk_set_id = ANY ($1::uuid[]) AND ($3::uuid IS NULL OR (c.chunk_set_id, c.ordinal) > ($3, $4::int))
       ORDER BY c.chunk_set_id, c.ordinal LIMIT $5`,
      [sets, space, last?.chunk_set_id ?? null, last?.ordinal ?? null, limit],
    );
  }

  /** What changed while it was written: rows that nothing shows any more go again, metadata that are older follow. */
  private async followUp(ctx: RequestContext, written: readonly ShadowedDocument[]): Promise<void> {
    const rows = await this.query<{ id: string; shown: boolean; current: boolean }>(
      ctx,
      `SELECT w.id, (d.visible_generation = w.generation AND d.deleted_at IS NULL) IS TRUE AS shown, (d.metadata_seq = w.seq) IS TRUE AS current
       FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS w(id, generation, seq) LEFT JOIN documents d ON d.id = w.id`,
      [
        written.map(({ id }) => id),
        written.map((document) => document.visible_generation),
        written.map((document) => document.metadata_seq),
      ],
    );
    const state = new Map(rows.map((row) => [row.id, row]));
    const hidden = written.filter(({ id }) => state.get(id)?.shown !== true);
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intents.addAll(
        inner,
        'remove_generation',
        hidden.map(({ id, dataset_id: datasetId, visible_generation: generation }) => ({
          subject: `${id}:${generation}`,
          payload: { documentId: id, datasetId, generation },
        })),
      ),
    );
    for (const { id } of written) {
      const { shown = false, current = true } = state.get(id) ?? {};
      if (shown && !current) await this.metadata.distrust(ctx, id);
    }
  }
}
