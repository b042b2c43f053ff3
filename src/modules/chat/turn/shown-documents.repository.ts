import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { result, statementFamily, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { FILTER_FACTS, filterFactsOf } from '../../documents/index.js';

/** Characters of its beginning that are read of a listed document. */
const BEGINNING = 400;

const CHUNK = {
  chunk_id: result.uuid<ChunkId>(),
  body: result.text(),
  text_start: result.bigint,
  heading_path: result.texts(),
  page: result.orNull(result.integer),
  page_end: result.orNull(result.integer),
};
const DOCUMENT = {
  ...FILTER_FACTS,
  dataset_id: result.uuid<DatasetId>(),
  revision: result.integer,
};
const VISIBLE = visibilityVariantsOf('s', 5).map((visible) => [visible] as const);
const VISIBLE_NAMES = visibilityVariantsOf('s', 3).map((visible) => [visible] as const);
const VISIBLE_CHUNKS = visibilityVariantsOf('s', 4).map((visible) => [visible] as const);
const LIST = statementFamily(
  { ...DOCUMENT, ...CHUNK },
  (visible: string) =>
    `WITH shown AS MATERIALIZED (
       SELECT ${filterFactsOf('d')}, d.dataset_id, d.chunk_set_id, cs.revision_id
       FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id JOIN chunk_sets cs ON cs.id = d.chunk_set_id
       WHERE s.id = ANY ($1::uuid[]) AND cs.chunk_count > 0 AND (d.name, d.id) > ($2, $3::uuid) AND ${visible}
       ORDER BY d.name, d.id LIMIT $4)
     SELECT ${filterFactsOf('d')}, d.dataset_id, r.revision,
       c.id AS chunk_id, left(c.body, ${BEGINNING}) AS body, c.text_start, c.heading_path, c.page, c.page AS page_end
     FROM shown d JOIN chunks c ON c.chunk_set_id = d.chunk_set_id AND c.ordinal = 0
       JOIN document_revisions r ON r.id = d.revision_id ORDER BY d.name, d.id`,
  VISIBLE,
);
const LIST_NAMES = statementFamily(
  DOCUMENT,
  (visible: string) =>
    `SELECT ${filterFactsOf('d')}, d.dataset_id, r.revision
     FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id JOIN chunk_sets cs ON cs.id = d.chunk_set_id
       JOIN document_revisions r ON r.id = cs.revision_id
     WHERE s.id = ANY ($1::uuid[]) AND cs.chunk_count > 0 AND ${visible} ORDER BY d.name, d.id LIMIT $2`,
  VISIBLE_NAMES,
);
const LIST_CHUNKS = statementFamily(
  CHUNK,
  (visible: string) =>
    `SELECT c.id AS chunk_id, c.body, c.text_start, c.heading_path, c.page, c.page_end
     FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id JOIN chunks c ON c.chunk_set_id = d.chunk_set_id
     WHERE s.id = ANY ($1::uuid[]) AND d.id = $2 AND ${visible} ORDER BY c.ordinal LIMIT $3`,
  VISIBLE_CHUNKS,
);

/** A document that answers can come from. */
export type ShownDocument = RowOf<typeof DOCUMENT>;
/** A chunk of one, or the beginning of its first. */
export type ShownPart = RowOf<typeof CHUNK>;
/** A document with its beginning. */
export type ListedDocument = ShownDocument & ShownPart;

/** Reads documents as a caller sees them: ingested documents of its tenant in visible datasets, neither deleted nor in quarantine. */
@Injectable()
export class ShownDocumentsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** By name, those behind `after`. */
  async list(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    after: Pick<ListedDocument, 'name' | 'id'> | undefined,
    limit: number,
  ): Promise<ListedDocument[]> {
    const { sql, parameters } = this.access.visibilityCondition(ctx, 's', 5);
    const place = [after?.name ?? '', after?.id ?? '00000000-0000-0000-0000-000000000000'];
    return this.query(ctx, LIST.of(sql), [datasetIds, ...place, limit, ...parameters]);
  }

  /** The first this many by name, without their beginnings. */
  async listNames(ctx: RequestContext, datasetIds: readonly DatasetId[], limit: number): Promise<ShownDocument[]> {
    const { sql, parameters } = this.access.visibilityCondition(ctx, 's', 3);
    return this.query(ctx, LIST_NAMES.of(sql), [datasetIds, limit, ...parameters]);
  }

  /** The first chunks of a document, in order; none of one that is not shown. */
  async listChunks(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    documentId: DocumentId,
    limit: number,
  ): Promise<ShownPart[]> {
    const { sql, parameters } = this.access.visibilityCondition(ctx, 's', 4);
    return this.query(ctx, LIST_CHUNKS.of(sql), [datasetIds, documentId, limit, ...parameters]);
  }
}
