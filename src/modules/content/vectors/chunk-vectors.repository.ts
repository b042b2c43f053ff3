import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId } from '#libs/common';
import { columnsOf, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { vectorBytes } from '#libs/vector-store';
import { ChunkEntity, ChunkSetEntity, ChunkVectorEntity } from '../chunks/chunk.entity.js';
import type { EmbeddableChunk } from './chunk-embedder.service.js';

const MOST_DROPPED = 5_000;

const LIST_LACKING = statement(
  { ...columnsOf(ChunkEntity, 'id', 'body', 'heading_path', 'context'), ...columnsOf(ChunkSetEntity, 'document_id') },
  `SELECT c.id, c.body, c.heading_path, c.context, s.document_id FROM chunks c JOIN chunk_sets s ON s.id = c.chunk_set_id
   WHERE c.chunk_set_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2)
   ORDER BY c.chunk_set_id, c.ordinal LIMIT $3`,
);
const KEEP = statement(
  {},
  `WITH held AS MATERIALIZED (SELECT id FROM chunks WHERE id = ANY ($3::uuid[]) ORDER BY id FOR KEY SHARE)
   INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
   SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector) JOIN held ON held.id = v.id
   ON CONFLICT (chunk_id, space) DO NOTHING`,
);
const DROP = statement(
  columnsOf(ChunkVectorEntity, 'chunk_id'),
  `DELETE FROM chunk_vectors WHERE space = $2 AND chunk_id IN (
     SELECT v.chunk_id FROM documents d JOIN chunk_sets s ON s.document_id = d.id JOIN chunks c ON c.chunk_set_id = s.id
     JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2 WHERE d.dataset_id = $1 LIMIT ${MOST_DROPPED})
   RETURNING chunk_id`,
);

/** A chunk without a vector in a space, with the input for its model. */
export type ChunkWithoutVector = EmbeddableChunk & { readonly id: ChunkId };

/** Vectors of chunks in other spaces than the one they were ingested with: those that a dataset moves to or comes from. */
@Injectable()
export class ChunkVectorsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Chunks of sets that have no vector in the space, in the order of their documents. */
  async listLacking(
    ctx: RequestContext,
    sets: readonly string[],
    space: string,
    limit: number,
  ): Promise<ChunkWithoutVector[]> {
    const chunks = await this.query(ctx, LIST_LACKING, [sets, space, limit]);
    return chunks.map(({ document_id: documentId, ...chunk }) => ({ ...chunk, documentId }));
  }

  /** Stores vectors; chunks that a reingest has removed meanwhile are skipped. */
  async keep(
    ctx: RequestContext,
    space: string,
    rows: readonly { readonly id: ChunkId; readonly vector: Float32Array }[],
  ): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const vectors = rows.map(({ vector }) => vectorBytes(vector));
    await this.unitOfWork.run(ctx, (manager) => rowsOf(manager, KEEP, [ctx.tenantId, space, ids, vectors]), {
      durable: false,
    });
  }

  /** Removes all vectors that a dataset has in a space. */
  async drop(ctx: RequestContext, datasetId: DatasetId, space: string): Promise<void> {
    for (;;) {
      const removed = await this.query(ctx, DROP, [datasetId, space]);
      if (removed.length < MOST_DROPPED) return;
    }
  }
}
