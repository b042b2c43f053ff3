import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { FilterFactsRow } from '../documents/index.js';
import type { ResultExpansion } from './dto/search-options.dto.js';
import type { ChunkTermsRow, ChunkVectorRow, ShownChunkRow } from './retrieval.entity.js';

/** What makes a document's chunks visible; `status` is not asked, so that a document under reingest keeps its chunks. */
const SHOWING = `d.visible_chunk_set_id IS NOT NULL AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

/** The range to be shown for a chunk `c`. A chunk without a parent is its own. */
const AROUND: Readonly<Record<ResultExpansion, string | null>> = {
  none: null,
  neighbours: `SELECT min(n.text_start) AS range_start, max(n.text_end) AS range_end
    FROM chunks n WHERE n.chunk_set_id = c.chunk_set_id AND n.ordinal BETWEEN c.ordinal - 1 AND c.ordinal + 1`,
  parent: `SELECT coalesce(c.parent_start, c.text_start) AS range_start, coalesce(c.parent_end, c.text_end) AS range_end`,
};
/** The stretch of the canonical text that holds the range; segments follow each other without a gap. */
const SEGMENTS = `SELECT min(p.text_start) AS around_start, string_agg(p.body, '' ORDER BY p.text_start) AS around_text
  FROM document_segments p WHERE p.revision_id = cs.revision_id AND p.text_start < x.range_end AND p.text_end > x.range_start`;

interface AroundRow {
  readonly range_start: string;
  readonly range_end: string;
  readonly around_start: string | null;
  readonly around_text: string | null;
}

/** Reads chunks that the caller may see, by the truth of the database. */
@Injectable()
export class RetrievalRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** What filters look at, of documents. Whether they may be seen is asked elsewhere. In no order. */
  async listFilterFacts(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<FilterFactsRow[]> {
    if (documentIds.length === 0) return [];
    return this.query<FilterFactsRow>(
      ctx,
      `SELECT d.id, d.name, d.media_type, d.language, d.created_at, d.tags, d.metadata FROM documents d WHERE d.id = ANY ($1::uuid[])`,
      [documentIds],
    );
  }

  /** What filters look at, of the showing documents of the datasets of which the vector store does not know the latest metadata. */
  async listUnsynced(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<FilterFactsRow[]> {
    return this.query<FilterFactsRow>(
      ctx,
      `SELECT d.id, d.name, d.media_type, d.language, d.created_at, d.tags, d.metadata FROM documents d
       WHERE d.dataset_id = ANY ($1::uuid[]) AND d.metadata_seq <> d.stored_metadata_seq AND ${SHOWING}`,
      [datasetIds],
    );
  }

  /** The chunks as they are shown, as far as they are still visible, with what is around them. In no order. */
  async findShown(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
    datasetIds: readonly DatasetId[],
    expand: ResultExpansion,
  ): Promise<ShownChunkRow[]> {
    if (chunkIds.length === 0) return [];
    const visible = this.access.visibilityCondition(ctx, 's', 3);
    const around = AROUND[expand];
    const rows = await this.query<Omit<ShownChunkRow, 'around'> & Partial<AroundRow>>(
      ctx,
      `WITH c AS MATERIALIZED (SELECT * FROM chunks WHERE id = ANY ($1::uuid[])),
         d AS MATERIALIZED (SELECT * FROM documents WHERE id = ANY (SELECT document_id FROM c))
       SELECT c.id, c.document_id, d.name AS document_name, d.dataset_id, c.ordinal, c.body, c.text_start, c.text_end,
         c.heading_path, c.page, c.page_end, c.sheet, c.row_number, d.metadata, coalesce(d.ingested_policy_version, d.policy_version) AS policy_version,
         r.revision ${around === null ? '' : ', x.range_start, x.range_end, g.around_start, g.around_text'}
       FROM c JOIN d ON d.id = c.document_id AND d.visible_chunk_set_id = c.chunk_set_id
         JOIN datasets s ON s.id = d.dataset_id
         JOIN chunk_sets cs ON cs.id = c.chunk_set_id JOIN document_revisions r ON r.id = cs.revision_id
         ${around === null ? '' : `CROSS JOIN LATERAL (${around}) x CROSS JOIN LATERAL (${SEGMENTS}) g`}
       WHERE s.id = ANY ($2::uuid[]) AND ${SHOWING} AND ${visible.sql}`,
      [chunkIds, datasetIds, ...visible.parameters],
    );
    return rows.map(({ range_start: start, range_end: end, around_start: from, around_text: text, ...row }) => ({
      ...row,
      around:
        text === undefined || text === null
          ? null
          : { start: Number(start), end: Number(end), text_start: Number(from), text },
    }));
  }

  /** Headings and texts by chunk, for whoever reads them before the results are chosen. */
  async listTexts(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
  ): Promise<{ readonly id: ChunkId; readonly heading_path: readonly string[]; readonly body: string }[]> {
    return this.query(ctx, `SELECT id, heading_path, body FROM chunks WHERE id = ANY ($1::uuid[])`, [chunkIds]);
  }

  /** Encoded terms and places of chunks; a chunk that is gone is left out. In no order. Base64 is half of what `bytea` takes as text. */
  async listTerms(ctx: RequestContext, chunkIds: readonly ChunkId[]): Promise<ChunkTermsRow[]> {
    return this.query(
      ctx,
      `SELECT i.n::int AS place, encode(c.terms, 'base64') AS terms, c.chunk_set_id, c.ordinal
       FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n) JOIN chunks c ON c.id = i.id`,
      [chunkIds],
    );
  }

  /** Vectors of an embedding space; a chunk without one is left out. In no order. */
  async listVectors(ctx: RequestContext, chunkIds: readonly ChunkId[], space: string): Promise<ChunkVectorRow[]> {
    return this.query(
      ctx,
      `SELECT i.n::int AS place, encode(v.vector, 'base64') AS vector
       FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n) JOIN chunk_vectors v ON v.chunk_id = i.id AND v.space = $2`,
      [chunkIds, space],
    );
  }

  /** `content_seq` (bigint as text) of the datasets at this moment. In no order. */
  async listContentSeqs(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
  ): Promise<{ readonly id: DatasetId; readonly content_seq: string }[]> {
    return this.query(ctx, `SELECT id, content_seq FROM datasets WHERE id = ANY ($1::uuid[])`, [datasetIds]);
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
