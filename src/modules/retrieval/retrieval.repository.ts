import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId } from '#libs/common';
import { rowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { FilterFactsRow, ShownChunkRow, VisibleChunkRow } from './retrieval.entity.js';

/** What makes a chunk visible; `status` is not asked, so that a document under reingest keeps its chunks. */
const SHOWN = `FROM chunks c JOIN documents d ON d.id = c.document_id AND d.visible_chunk_set_id = c.chunk_set_id
  JOIN datasets s ON s.id = d.dataset_id`;
const IN_SIGHT = `d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

/** Reads chunks that the caller may see, by the truth of the database. */
@Injectable()
export class RetrievalRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /**
   * Those of the chunks that are visible in the datasets, and the facts of their documents when `withFacts` asks for them.
   * In no order.
   */
  async findVisible(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
    datasetIds: readonly DatasetId[],
    withFacts: boolean,
  ): Promise<{ chunks: VisibleChunkRow[]; facts: FilterFactsRow[] }> {
    if (chunkIds.length === 0) return { chunks: [], facts: [] };
    const visible = this.access.visibilityCondition(ctx, 's', 3);
    return this.unitOfWork.run(ctx, async (manager) => {
      const chunks = await rowsOf<VisibleChunkRow>(
        manager,
        `SELECT c.id, c.document_id, d.dataset_id, c.ordinal, d.visible_generation AS generation ${SHOWN}
         WHERE c.id = ANY ($1::uuid[]) AND d.dataset_id = ANY ($2::uuid[]) AND ${IN_SIGHT} AND ${visible.sql}`,
        [chunkIds, datasetIds, ...visible.parameters],
      );
      if (!withFacts || chunks.length === 0) return { chunks, facts: [] };
      const facts = await rowsOf<FilterFactsRow>(
        manager,
        `SELECT id, name, media_type, language, created_at, tags, metadata FROM documents WHERE id = ANY ($1::uuid[])`,
        [[...new Set(chunks.map((chunk) => chunk.document_id))]],
      );
      return { chunks, facts };
    });
  }

  /** The chunks as they are shown, as far as they are still visible. In no order. */
  async findShown(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
    datasetIds: readonly DatasetId[],
  ): Promise<ShownChunkRow[]> {
    if (chunkIds.length === 0) return [];
    const visible = this.access.visibilityCondition(ctx, 's', 3);
    return this.query<ShownChunkRow>(
      ctx,
      `SELECT c.id, c.document_id, d.name AS document_name, d.dataset_id, c.ordinal, c.body, c.text_start, c.text_end,
         c.heading_path, c.page, c.sheet, c.row_number, d.metadata, d.policy_version, r.revision
       ${SHOWN} JOIN chunk_sets cs ON cs.id = c.chunk_set_id JOIN document_revisions r ON r.id = cs.revision_id
       WHERE c.id = ANY ($1::uuid[]) AND d.dataset_id = ANY ($2::uuid[]) AND ${IN_SIGHT} AND ${visible.sql}`,
      [chunkIds, datasetIds, ...visible.parameters],
    );
  }

  /** Headings and texts by chunk, for whoever reads them before the results are chosen. */
  async listTexts(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
  ): Promise<{ readonly id: ChunkId; readonly heading_path: readonly string[]; readonly body: string }[]> {
    return this.query(ctx, `SELECT id, heading_path, body FROM chunks WHERE id = ANY ($1::uuid[])`, [chunkIds]);
  }

  /** Encoded terms by chunk; a chunk that is gone is left out. */
  async listTerms(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
  ): Promise<{ readonly id: ChunkId; readonly terms: Buffer }[]> {
    return this.query(ctx, `SELECT id, terms FROM chunks WHERE id = ANY ($1::uuid[])`, [chunkIds]);
  }

  /** Vectors (float32, little-endian) of an embedding space by chunk; a chunk without one is left out. */
  async listVectors(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
    space: string,
  ): Promise<{ readonly id: ChunkId; readonly vector: Buffer }[]> {
    return this.query(
      ctx,
      `SELECT chunk_id AS id, vector FROM chunk_vectors WHERE chunk_id = ANY ($1::uuid[]) AND space = $2`,
      [chunkIds, space],
    );
  }

  /** How many documents of the datasets wait for their ingestion or are in it. */
  async countPending(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<number> {
    const row = await this.queryOne<{ pending: number }>(
      ctx,
      `SELECT count(*)::int AS pending FROM documents
       WHERE dataset_id = ANY ($1::uuid[]) AND status IN ('pending', 'processing') AND deleted_at IS NULL`,
      [datasetIds],
    );
    return row?.pending ?? 0;
  }
}
