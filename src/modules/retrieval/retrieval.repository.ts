import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { FilterFactsRow } from '../documents/index.js';
import type { ChunkPlaceRow, ShowingDocumentRow, ShownChunkRow } from './retrieval.entity.js';

/** What makes a document's chunks visible; `status` is not asked, so that a document under reingest keeps its chunks. */
const SHOWING = `d.visible_chunk_set_id IS NOT NULL AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

/** Reads chunks that the caller may see, by the truth of the database. */
@Injectable()
export class RetrievalRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Where the chunks belong; a chunk that is gone is left out. In no order. */
  async listPlaces(ctx: RequestContext, chunkIds: readonly ChunkId[]): Promise<ChunkPlaceRow[]> {
    return this.query(ctx, `SELECT id, document_id, chunk_set_id, ordinal FROM chunks WHERE id = ANY ($1::uuid[])`, [
      chunkIds,
    ]);
  }

  /** Those of the documents that show chunks to the caller and lie in the datasets, as of one moment. In no order. */
  async findShowing(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    datasetIds: readonly DatasetId[],
  ): Promise<ShowingDocumentRow[]> {
    return this.queryShowing(
      ctx,
      'd.id, d.dataset_id, d.visible_chunk_set_id, d.visible_generation, d.visibility_seq, d.attempt',
      documentIds,
      datasetIds,
    );
  }

  /** As `findShowing`, with what filters look at. */
  async findShowingWithFacts(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    datasetIds: readonly DatasetId[],
  ): Promise<(ShowingDocumentRow & FilterFactsRow)[]> {
    const columns = `d.id, d.dataset_id, d.visible_chunk_set_id, d.visible_generation, d.visibility_seq, d.attempt, d.name, d.media_type, d.language, d.created_at,
      d.tags, d.metadata`;
    return this.queryShowing(ctx, columns, documentIds, datasetIds);
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

  /** Asked by primary key alone: joined with chunks, a planner without statistics would walk the dataset for each of them. */
  private async queryShowing<Row>(
    ctx: RequestContext,
    columns: string,
    documentIds: readonly DocumentId[],
    datasetIds: readonly DatasetId[],
  ): Promise<Row[]> {
    if (documentIds.length === 0) return [];
    const visible = this.access.visibilityCondition(ctx, 's', 3);
    return this.query<Row>(
      ctx,
      `WITH d AS MATERIALIZED (SELECT * FROM documents WHERE id = ANY ($1::uuid[]))
       SELECT ${columns} FROM d JOIN datasets s ON s.id = d.dataset_id
       WHERE s.id = ANY ($2::uuid[]) AND ${SHOWING} AND ${visible.sql}`,
      [documentIds, datasetIds, ...visible.parameters],
    );
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
      `WITH c AS MATERIALIZED (SELECT * FROM chunks WHERE id = ANY ($1::uuid[])),
         d AS MATERIALIZED (SELECT * FROM documents WHERE id = ANY (SELECT document_id FROM c))
       SELECT c.id, c.document_id, d.name AS document_name, d.dataset_id, c.ordinal, c.body, c.text_start, c.text_end,
         c.heading_path, c.page, c.sheet, c.row_number, d.metadata, coalesce(d.ingested_policy_version, d.policy_version) AS policy_version,
         r.revision
       FROM c JOIN d ON d.id = c.document_id AND d.visible_chunk_set_id = c.chunk_set_id
         JOIN datasets s ON s.id = d.dataset_id
         JOIN chunk_sets cs ON cs.id = c.chunk_set_id JOIN document_revisions r ON r.id = cs.revision_id
       WHERE s.id = ANY ($2::uuid[]) AND ${SHOWING} AND ${visible.sql}`,
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
