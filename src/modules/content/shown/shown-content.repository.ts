import { Injectable } from '@nestjs/common';
import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';

const COUNT = statement(
  { documents: result.integer, chunks: result.integer },
  `SELECT count(*)::int AS documents, coalesce(sum(s.chunk_count), 0)::int AS chunks
   FROM shown_documents d LEFT JOIN chunk_sets s ON s.id = d.chunk_set_id WHERE d.dataset_id = ANY ($1::uuid[])`,
);
const CHUNK = {
  id: result.uuid<ChunkId>(),
  document_id: result.uuid<DocumentId>(),
  dataset_id: result.uuid<DatasetId>(),
  generation: result.present(result.bigint),
  ordinal: result.integer,
  text_start: result.bigint,
  body: result.text(),
  heading_path: result.texts(),
};
const CHUNKS_BY_IDS = statement(
  CHUNK,
  `SELECT c.id, c.document_id, c.dataset_id, c.generation, c.ordinal, c.text_start, c.body, c.heading_path
   FROM shown_chunks c WHERE c.id = ANY ($1::uuid[])`,
);
/** Document by document, so that one with many chunks is not read as a whole. */
const PAGE_CHUNKS = statement(
  CHUNK,
  `SELECT c.id, d.id AS document_id, d.dataset_id, d.generation, c.ordinal, c.text_start, c.body, c.heading_path
   FROM shown_documents d CROSS JOIN LATERAL (
     SELECT k.id, k.ordinal, k.text_start, k.body, k.heading_path FROM chunks k
     WHERE k.chunk_set_id = d.chunk_set_id AND k.ordinal > $2 ORDER BY k.ordinal LIMIT $3) c
   WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id DESC, c.ordinal`,
);
/** Changed documents with values of their dataset; if no document changed, one row whose document is null. */
const FIND_CHANGES = statement(
  {
    seq: result.bigint,
    visible: result.integer,
    document_id: result.orNull(result.uuid<DocumentId>()),
    chunk_set_id: result.orNull(result.uuid<ChunkSetId>()),
    generation: result.orNull(result.bigint),
    changed_at: result.bigint,
    attempt: result.integer,
    language: result.orNull(result.text()),
  },
  `WITH s AS MATERIALIZED (
     SELECT id, content_seq AS seq, (SELECT count(*)::int FROM shown_documents d WHERE d.dataset_id = datasets.id) AS visible
     FROM datasets WHERE id = $1)
   SELECT s.seq, s.visible, d.id AS document_id,
     CASE WHEN d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL THEN d.visible_chunk_set_id END AS chunk_set_id,
     d.visible_generation AS generation, d.visibility_seq AS changed_at, d.attempt, d.language
   FROM s LEFT JOIN documents d ON d.dataset_id = s.id AND d.visibility_seq > $2`,
);
/** A document that shows something, or would do so if it were not in quarantine. */
const FIND_KEPT = statement(
  {
    ...columnsOf(DocumentEntity, 'id', 'name'),
    generation: result.present(result.text()),
    chunk_set_id: result.present(result.uuid<ChunkSetId>()),
  },
  `SELECT d.id, d.name, d.visible_generation::text AS generation, d.visible_chunk_set_id AS chunk_set_id FROM documents d
   WHERE d.id = $1 AND d.visible_generation IS NOT NULL AND d.visible_chunk_set_id IS NOT NULL AND d.deleted_at IS NULL`,
);
const HOLD_KEPT = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id = $1 AND visible_generation = $2::bigint AND deleted_at IS NULL FOR KEY SHARE`,
);

/** A shown chunk. */
export type ShownChunk = RowOf<typeof CHUNK>;
/** A document whose visible content changed, with values of its dataset; if no document changed, one row whose document is null. */
export type ShownChange = NonNullable<(typeof FIND_CHANGES)['row']>;
/** A document with the generation that it shows, or would show if it were not in quarantine. */
export type KeptDocument = NonNullable<(typeof FIND_KEPT)['row']>;

/**
 * Shown content: that of the latest completed generation of documents that are neither deleted nor in quarantine. SQL of other modules
 * reads the views `shown_documents` and `shown_chunks`. The caller must check that the datasets may be seen.
 */
@Injectable()
export class ShownContentRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async count(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
  ): Promise<{ readonly documents: number; readonly chunks: number }> {
    return (await this.queryOne(ctx, COUNT, [datasetIds])) ?? { documents: 0, chunks: 0 };
  }

  /** In no particular order; ids without shown content are missing. */
  chunksByIds(ctx: RequestContext, ids: readonly ChunkId[]): Promise<ShownChunk[]> {
    return this.query(ctx, CHUNKS_BY_IDS, [ids]);
  }

  /** For each document, at most `limit` chunks after the ordinal `after`, in order; the newest document first. */
  pageChunks(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    after: number,
    limit: number,
  ): Promise<ShownChunk[]> {
    return this.query(ctx, PAGE_CHUNKS, [documentIds, after, limit]);
  }

  /**
   * Documents whose visible content changed after `after`, with the state of the dataset in the same snapshot. Empty for an unknown
   * dataset.
   */
  findChanges(ctx: RequestContext, datasetId: DatasetId, after: bigint): Promise<ShownChange[]> {
    return this.query(ctx, FIND_CHANGES, [datasetId, after.toString()]);
  }

  /**
   * What a document shows, or would show if it were not in quarantine; for data derived from it that must be correct when it is released.
   */
  findKept(ctx: RequestContext, id: DocumentId): Promise<KeptDocument | undefined> {
    return this.queryOne(ctx, FIND_KEPT, [id]);
  }

  /** Locks the document until the transaction ends; false when it has another generation or is deleted. */
  async holdKept(ctx: TransactionContext, id: DocumentId, generation: string): Promise<boolean> {
    return (await this.query(ctx, HOLD_KEPT, [id, generation])).length > 0;
  }
}
