import { Injectable } from '@nestjs/common';
import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { isQuarantinedOf, SHOWING_STATE, shownChunkSetOf, showingStateOf } from '../../content/index.js';
import {
  DocumentEntity,
  FILTER_FACTS,
  filterFactsOf,
  isOpen,
  TEXT_REVISION,
  type FilterFactsRow,
} from '../../documents/index.js';

const CHUNK = `c.id, c.document_id, c.chunk_set_id, c.ordinal, c.text_start, c.text_end, c.body`;

/** Number of characters of the next stretch that are searched together with a stretch, so that no match is cut: longer than any pattern. */
const OVERLAP = 200;

const CHUNK_COLUMNS = {
  id: result.uuid<ChunkId>(),
  document_id: result.uuid<DocumentId>(),
  chunk_set_id: result.uuid<ChunkSetId>(),
  ordinal: result.integer,
  text_start: result.bigint,
  text_end: result.bigint,
  body: result.text(),
};
/** A chunk and where it belongs, whether it is shown or not. Offsets are bigint as text. */
export type ExplainedChunkRow = RowOf<typeof CHUNK_COLUMNS>;

const DOCUMENT_COLUMNS = {
  ...FILTER_FACTS,
  ...columnsOf(
    DocumentEntity,
    'dataset_id',
    'split_revision_id',
    'status',
    'current_stage',
    'error',
    'warnings',
    'waiting_reason',
  ),
  ...SHOWING_STATE,
  /** The revision whose text is shown. */
  text_revision_id: result.uuid(),
  /** Of the set that is shown; 0 when none is. */
  visible_chunks: result.integer,
};
/** What an explanation needs to know of a document in a dataset that the caller sees; deleted ones included. */
export type ExplainedDocumentRow = RowOf<typeof DOCUMENT_COLUMNS>;

/** Datasets, and the only documents of them that are looked at; null: all. */
export interface ExplainedScope {
  readonly datasetIds: readonly DatasetId[];
  readonly documentIds: readonly DocumentId[] | null;
}

const LIST_PARTS = statement(
  { ...columnsOf(DocumentEntity, 'id'), is_searchable: result.boolean },
  `SELECT d.id, v.id IS NOT NULL AS is_searchable FROM documents d LEFT JOIN shown_documents v ON v.id = d.id
   WHERE d.archive_id = $1 AND d.deleted_at IS NULL ORDER BY is_searchable DESC, NOT (${isOpen('d')}), d.path, d.id`,
);
/** A file of an archive. */
export type ExplainedPartRow = NonNullable<(typeof LIST_PARTS)['row']>;

const LIST_DOCUMENTS = statementFamily(
  DOCUMENT_COLUMNS,
  (visible: string) =>
    `SELECT ${filterFactsOf('d')}, d.dataset_id, d.split_revision_id, d.status, d.current_stage, d.error,
       d.warnings, d.waiting_reason, ${showingStateOf('d')},
       ${TEXT_REVISION} AS text_revision_id,
       (SELECT count(*)::int FROM chunks c WHERE c.chunk_set_id = ${shownChunkSetOf('d')}) AS visible_chunks
     FROM documents d JOIN datasets s ON s.id = d.dataset_id WHERE d.id = ANY ($1::uuid[]) AND ${visible}`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const LIST_SEARCHABLE_DOCUMENTS = statementFamily(
  FILTER_FACTS,
  (visible: string) =>
    `SELECT ${filterFactsOf('d')} FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE d.dataset_id = $1 AND ($2::timestamptz IS NULL OR d.created_at < $2 OR (d.created_at = $2 AND d.id > $3::uuid)) AND ${visible}
       AND EXISTS (SELECT 1 FROM chunks c WHERE c.chunk_set_id = d.chunk_set_id)
     ORDER BY d.created_at DESC, d.id LIMIT $4`,
  visibilityVariantsOf('s', 5).map((visible) => [visible] as const),
);
const LIST_MATCHING_CHUNKS = statementFamily(
  CHUNK_COLUMNS,
  (visible: string) =>
    `SELECT ${CHUNK} FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id
       JOIN chunks c ON c.chunk_set_id = d.chunk_set_id
     WHERE s.id = ANY ($1::uuid[]) AND ($2::uuid[] IS NULL OR d.id = ANY ($2)) AND ${visible}
       AND ($3::uuid IS NULL OR c.id > $3) AND c.body ~ ALL ($4::text[])
     ORDER BY c.id LIMIT $5`,
  visibilityVariantsOf('s', 6).map((visible) => [visible] as const),
);
const LIST_MATCHING_DOCUMENTS = statementFamily(
  { ...columnsOf(DocumentEntity, 'id'), text_revision_id: result.uuid() },
  (visible: string) =>
    `SELECT d.id, d.text_revision_id FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE s.id = ANY ($1::uuid[]) AND ($4::uuid[] IS NULL OR d.id = ANY ($4)) AND ${visible}
       AND EXISTS (SELECT 1 FROM (
         SELECT g.body || coalesce(left(lead(g.body) OVER (ORDER BY g.text_start), ${OVERLAP}), '') AS body
         FROM document_segments g WHERE g.revision_id = d.text_revision_id) stretches WHERE stretches.body ~ $2)
     ORDER BY d.id LIMIT $3`,
  visibilityVariantsOf('s', 5).map((visible) => [visible] as const),
);
const LIST_MATCHING_QUARANTINED = statementFamily(
  { ...columnsOf(DocumentEntity, 'id'), text_revision_id: result.uuid() },
  (visible: string) =>
    `SELECT d.id, ${TEXT_REVISION} AS text_revision_id FROM documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE s.id = ANY ($1::uuid[]) AND ${isQuarantinedOf('d')} AND ${visible}
       AND EXISTS (SELECT 1 FROM (
         SELECT g.body || coalesce(left(lead(g.body) OVER (ORDER BY g.text_start), ${OVERLAP}), '') AS stretch
         FROM document_segments g WHERE g.revision_id = ${TEXT_REVISION}) stretches WHERE stretches.stretch ~ $2)
     ORDER BY d.id LIMIT $3`,
  visibilityVariantsOf('s', 4).map((visible) => [visible] as const),
);
const FIND_CHUNK = statement(CHUNK_COLUMNS, `SELECT ${CHUNK} FROM chunks c WHERE c.id = $1`);
const LIST_SHOWN_CHUNKS = statement(
  CHUNK_COLUMNS,
  `SELECT ${CHUNK} FROM shown_documents d JOIN chunks c ON c.chunk_set_id = d.chunk_set_id
       WHERE d.id = ANY ($1::uuid[]) ORDER BY c.ordinal, c.id LIMIT $2`,
);
const LIST_SEGMENTS = statement(
  { text_end: result.bigint, body: result.text() },
  `SELECT text_end, body FROM document_segments WHERE revision_id = $1 AND text_start >= $2 ORDER BY text_start LIMIT $3`,
);
const LIST_SPACES = statement(
  { space: result.text() },
  `SELECT space FROM chunk_vectors WHERE chunk_id = $1 ORDER BY space`,
);

/** Reads what explanations are made of, and only of documents that the caller sees. */
@Injectable()
export class ExplainRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The documents that lie in datasets which the caller sees. In no order. */
  async listDocuments(ctx: RequestContext, ids: readonly DocumentId[]): Promise<ExplainedDocumentRow[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.query(ctx, LIST_DOCUMENTS.of(visible.sql), [ids, ...visible.parameters]);
  }

  /** What filters see of the documents of datasets that a search can find, behind `after`, by id. */
  async listSearchableDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    page: { readonly after: Pick<FilterFactsRow, 'created_at' | 'id'> | null; readonly limit: number },
  ): Promise<FilterFactsRow[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 5);
    const { after, limit } = page;
    const parameters = [datasetId, after?.created_at ?? null, after?.id ?? null, limit, ...visible.parameters];
    return this.query(ctx, LIST_SEARCHABLE_DOCUMENTS.of(visible.sql), parameters);
  }

  /** A chunk, shown or not; whether its document may be seen is asked with `listDocuments`. */
  async findChunk(ctx: RequestContext, id: ChunkId): Promise<ExplainedChunkRow | undefined> {
    return this.queryOne(ctx, FIND_CHUNK, [id]);
  }

  /** The files of an archive, those that are searchable first and those in quarantine last. */
  async listParts(ctx: RequestContext, archiveId: DocumentId): Promise<ExplainedPartRow[]> {
    return this.query(ctx, LIST_PARTS, [archiveId]);
  }

  /** The first chunks that documents show, those at the beginning of the texts first. */
  async listShownChunks(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    limit: number,
  ): Promise<ExplainedChunkRow[]> {
    return this.query(ctx, LIST_SHOWN_CHUNKS, [documentIds, limit]);
  }

  /** Shown chunks within the scope that match all patterns, behind `after`, by id. */
  async listMatchingChunks(
    ctx: RequestContext,
    scope: ExplainedScope,
    patterns: readonly string[],
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<ExplainedChunkRow[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 6);
    return this.query(ctx, LIST_MATCHING_CHUNKS.of(visible.sql), [
      scope.datasetIds,
      scope.documentIds,
      page.after,
      patterns,
      page.limit,
      ...visible.parameters,
    ]);
  }

  /** Searchable documents within the scope with a stretch of canonical text that matches the pattern, by id. */
  async listMatchingDocuments(
    ctx: RequestContext,
    { datasetIds, documentIds }: ExplainedScope,
    pattern: string,
    limit: number,
  ): Promise<{ readonly id: DocumentId; readonly text_revision_id: string }[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 5);
    return this.query(ctx, LIST_MATCHING_DOCUMENTS.of(visible.sql), [
      datasetIds,
      pattern,
      limit,
      documentIds,
      ...visible.parameters,
    ]);
  }

  /** Documents of the datasets that are in quarantine, with a stretch of text that matches the pattern, by id. For who may read such texts. */
  async listMatchingQuarantined(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    pattern: string,
    limit: number,
  ): Promise<{ readonly id: DocumentId; readonly text_revision_id: string }[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 4);
    const parameters = [datasetIds, pattern, limit, ...visible.parameters];
    return this.query(ctx, LIST_MATCHING_QUARANTINED.of(visible.sql), parameters);
  }

  /** Stretches of a revision's canonical text from an offset on, in order. */
  async listSegments(
    ctx: RequestContext,
    revisionId: string,
    from: number,
    limit: number,
  ): Promise<{ readonly text_end: string; readonly body: string }[]> {
    return this.query(ctx, LIST_SEGMENTS, [revisionId, from, limit]);
  }

  /** Embedding spaces in which a chunk has a vector. */
  async listSpaces(ctx: RequestContext, chunkId: ChunkId): Promise<string[]> {
    const rows = await this.query(ctx, LIST_SPACES, [chunkId]);
    return rows.map(({ space }) => space);
  }
}
