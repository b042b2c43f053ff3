import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { FILTER_FACTS, filterFactsOf } from '../../documents/index.js';

/** As search has it: `status` is not asked, so that a document under reingest keeps what it shows. */
const SHOWING = `d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

const SHOWN_DOCUMENT = {
  ...FILTER_FACTS,
  generation: result.present(result.bigint),
};
const LIST_DOCUMENTS = statement(
  SHOWN_DOCUMENT,
  `SELECT ${filterFactsOf('d')}, d.visible_generation AS generation
   FROM documents d WHERE d.dataset_id = $1 AND ${SHOWING} AND ($2::uuid IS NULL OR d.id < $2) ORDER BY d.id DESC LIMIT $3`,
);
const COUNT_SHOWN = statement(
  { documents: result.integer, chunks: result.integer },
  `SELECT count(*)::int AS documents, coalesce(sum(s.chunk_count), 0)::int AS chunks
   FROM documents d LEFT JOIN chunk_sets s ON s.id = d.visible_chunk_set_id WHERE d.dataset_id = $1 AND ${SHOWING}`,
);
const SHOWN_CHUNK = {
  id: result.uuid<ChunkId>(),
  document_id: result.uuid<DocumentId>(),
  generation: result.present(result.bigint),
  ordinal: result.integer,
  text_start: result.bigint,
  body: result.text(),
  heading_path: result.texts(),
};
const LIST_CHUNKS = statement(
  SHOWN_CHUNK,
  `SELECT c.id, d.id AS document_id, d.visible_generation AS generation, c.ordinal, c.text_start, c.body, c.heading_path
   FROM documents d CROSS JOIN LATERAL (
     SELECT k.id, k.ordinal, k.text_start, k.body, k.heading_path FROM chunks k
     WHERE k.chunk_set_id = d.visible_chunk_set_id AND k.ordinal > $2 ORDER BY k.ordinal LIMIT $3) c
   WHERE d.id = ANY ($1::uuid[]) AND ${SHOWING} ORDER BY d.id DESC, c.ordinal`,
);
const FIND_CHUNK = statement(
  SHOWN_CHUNK,
  `SELECT c.id, d.id AS document_id, d.visible_generation AS generation, c.ordinal, c.text_start, c.body, c.heading_path
   FROM chunks c JOIN documents d ON d.id = c.document_id AND d.visible_chunk_set_id = c.chunk_set_id
   WHERE c.id = $1 AND ${SHOWING}`,
);
const LIST_GENERATIONS = statement(
  { id: result.uuid<DocumentId>(), generation: result.present(result.bigint) },
  `SELECT d.id, d.visible_generation AS generation FROM documents d WHERE d.id = ANY ($1::uuid[]) AND ${SHOWING}`,
);

/** A document that is shown, with what filters look at. */
export type ShownDocument = RowOf<typeof SHOWN_DOCUMENT>;
/** A chunk that is shown. */
export type ShownChunk = RowOf<typeof SHOWN_CHUNK>;

/** What the documents of a dataset show. Anyone who asks has seen the dataset. */
@Injectable()
export class ShownTextsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Newest first, behind `before`. */
  listDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    before: DocumentId | null,
    limit: number,
  ): Promise<ShownDocument[]> {
    return this.query(ctx, LIST_DOCUMENTS, [datasetId, before, limit]);
  }

  async countShown(ctx: RequestContext, datasetId: DatasetId): Promise<{ documents: number; chunks: number }> {
    return (await this.queryOne(ctx, COUNT_SHOWN, [datasetId])) ?? { documents: 0, chunks: 0 };
  }

  /** Of each document at most `limit` chunks behind the ordinal `after`, in order. */
  listChunks(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    after: number,
    limit: number,
  ): Promise<ShownChunk[]> {
    return this.query(ctx, LIST_CHUNKS, [documentIds, after, limit]);
  }

  findChunk(ctx: RequestContext, chunkId: ChunkId): Promise<ShownChunk | undefined> {
    return this.queryOne(ctx, FIND_CHUNK, [chunkId]);
  }

  /** The generation that each document shows; what shows nothing is missing. */
  async generationsOf(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query(ctx, LIST_GENERATIONS, [documentIds]);
    return new Map(rows.map(({ id, generation }) => [id, generation]));
  }
}
