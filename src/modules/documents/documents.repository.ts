import { Injectable } from '@nestjs/common';
import type { DocumentId, Page, RevisionId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf, type SqlCondition } from '../datasets/index.js';
import type { ChunkRow } from './chunk-row.js';
import { DocumentEntity, type DocumentEventRow, type DocumentRow, type DocumentStatusName } from './document.entity.js';
import { DOCUMENT_ORDERS, type DocumentOrder } from './dto/list-documents.dto.js';
import { DocumentEventEntity } from './document-event.entity.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';

export interface DocumentFilter {
  readonly datasetId?: string;
  readonly status?: DocumentStatusName;
  readonly q?: string;
  readonly tag?: string;
  readonly archiveId?: string;
  readonly orderBy: DocumentOrder;
  readonly skip: number;
  readonly limit: number;
}

const ORDERS: Readonly<Record<DocumentOrder, string>> = {
  created_at: 'd.created_at ASC, d.id ASC',
  '-created_at': 'd.created_at DESC, d.id DESC',
  name: 'lower(d.name) ASC, d.id ASC',
  '-name': 'lower(d.name) DESC, d.id DESC',
  updated_at: 'd.updated_at ASC, d.id ASC',
  '-updated_at': 'd.updated_at DESC, d.id DESC',
};

/** What a filter asks of the document `d` in its dataset `s`, with placeholders from `$1` on. */
function conditionOf({ datasetId, status, tag, archiveId, q }: Partial<DocumentFilter>): SqlCondition {
  const parameters: unknown[] = [];
  const conditions = ['d.deleted_at IS NULL', 's.deleted_at IS NULL'];
  const add = (sql: (n: string) => string, value: unknown): void => {
    parameters.push(value);
    conditions.push(sql(`$${parameters.length}`));
  };
  if (datasetId !== undefined) add((n) => `d.dataset_id = ${n}`, datasetId);
  if (status !== undefined) add((n) => `d.status = ${n}`, status);
  if (tag !== undefined) add((n) => `${n} = ANY(d.tags)`, tag);
  if (archiveId !== undefined) add((n) => `d.archive_id = ${n}`, archiveId);
  if (q !== undefined) add((n) => `(d.name ILIKE ${n} OR d.path ILIKE ${n})`, `%${q.replace(/[\\%_]/g, '\\$&')}%`);
  return { sql: conditions.join(' AND '), parameters };
}

/** Conditions of lists: without a filter and with every one, for each kind of caller. */
const LISTED = [{}, { datasetId: '', status: 'pending', tag: '', archiveId: '', q: '' } as const]
  .map(conditionOf)
  .flatMap(({ sql, parameters }) =>
    visibilityVariantsOf('s', parameters.length + 1).map((visible) => `${sql} AND (${visible})`),
  );
const VISIBLE = `FROM documents d JOIN datasets s ON s.id = d.dataset_id`;
const FIND_VISIBLE = statementFamily(
  allColumnsOf(DocumentEntity),
  (visible: string) =>
    `SELECT d.* ${VISIBLE} WHERE d.id = $1 AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND (${visible})`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const COUNT_VISIBLE = statementFamily(
  { n: result.integer },
  (where: string) => `SELECT count(*)::int AS n ${VISIBLE} WHERE ${where}`,
  LISTED.map((where) => [where] as const),
);
const LIST_VISIBLE = statementFamily(
  allColumnsOf(DocumentEntity),
  (where: string, order: DocumentOrder, limit: number, skip: number) =>
    `SELECT d.* ${VISIBLE} WHERE ${where} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  LISTED.flatMap((where) => DOCUMENT_ORDERS.map((order) => [where, order, 20, 0] as const)),
);
const LIST_VISIBLE_CHUNKS = statement(
  {
    id: result.uuid(),
    ordinal: result.integer,
    text_start: result.bigint,
    text_end: result.bigint,
    body: result.text(),
    token_count: result.integer,
    heading_path: result.texts(),
    page: result.orNull(result.integer),
    page_end: result.orNull(result.integer),
    sheet: result.orNull(result.text()),
    row_number: result.orNull(result.integer),
    context: result.orNull(result.text()),
  },
  `SELECT id, ordinal, text_start, text_end, body, token_count, heading_path, page, page_end, sheet, row_number, context
   FROM chunks WHERE chunk_set_id = $1 ORDER BY ordinal LIMIT $2 OFFSET $3`,
);
const FIND_SEGMENT = statement(
  { text_start: result.bigint, body: result.text() },
  `SELECT text_start, body FROM document_segments WHERE revision_id = $1 AND text_end > $2 ORDER BY text_start LIMIT 1`,
);
const FIND_FILE = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key', 'size_bytes', 'content_guard'),
  `SELECT blob_key, size_bytes, content_guard FROM document_revisions WHERE id = $1`,
);

const LOOK_AT_PARTS = statement(
  { is_guarded: result.boolean, is_deleted: result.boolean },
  `SELECT coalesce(bool_or(d.quarantined_at IS NOT NULL OR EXISTS (
       SELECT 1 FROM document_revisions r WHERE r.document_id = d.id AND r.content_guard IS NOT NULL)), false) AS is_guarded,
     coalesce(bool_or(d.deleted_at IS NOT NULL), false) AS is_deleted
   FROM documents d WHERE d.archive_id = $1`,
);

/** Reads documents that the caller may see. */
@Injectable()
export class DocumentsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The document, unless it is absent, deleted, or in a dataset that the caller does not see. */
  async findVisible(ctx: RequestContext, documentId: string): Promise<DocumentRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.queryOne(ctx, FIND_VISIBLE.of(visible.sql), [documentId, ...visible.parameters]);
  }

  async listVisible(ctx: RequestContext, filter: DocumentFilter): Promise<Page<DocumentRow>> {
    const { orderBy, skip, limit } = filter;
    const wanted = conditionOf(filter);
    const visible = this.access.visibilityCondition(ctx, 's', wanted.parameters.length + 1);
    const where = `${wanted.sql} AND (${visible.sql})`;
    const parameters = [...wanted.parameters, ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT_VISIBLE.of(where), parameters);
      const items = await this.query(inner, LIST_VISIBLE.of(where, orderBy, limit, skip), parameters);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }

  /** Whether bytes of an archive hold what is kept back of one of its files, or a file that was deleted. */
  async lookAtParts(
    ctx: RequestContext,
    archiveId: DocumentId,
  ): Promise<{ readonly is_guarded: boolean; readonly is_deleted: boolean }> {
    const row = await this.queryOne(ctx, LOOK_AT_PARTS, [archiveId]);
    return row ?? { is_guarded: false, is_deleted: false };
  }

  async listEvents(ctx: RequestContext, documentId: DocumentId): Promise<DocumentEventRow[]> {
    return this.withRepository(ctx, DocumentEventEntity, (rows) =>
      rows.find({
        select: { event: true, stage: true, details: true, created_at: true },
        where: { document_id: documentId },
        order: { seq: 'ASC' },
      }),
    );
  }

  /** Chunks of the visible set, in the order of the text. */
  async listVisibleChunks(
    ctx: RequestContext,
    document: DocumentRow,
    skip: number,
    limit: number,
  ): Promise<Page<ChunkRow>> {
    const items = await this.query(ctx, LIST_VISIBLE_CHUNKS, [document.visible_chunk_set_id, limit, skip]);
    return { items, total: document.visible_chunk_set_id === null ? 0 : document.chunk_count, skip, limit };
  }

  /** Length of the revision's canonical text in UTF-16 code units; undefined before it has been parsed. */
  async findTextLength(ctx: RequestContext, revisionId: RevisionId): Promise<number | undefined> {
    const row = await this.withRepository(ctx, DocumentRevisionEntity, (rows) =>
      rows.findOne({ select: { text_length: true }, where: { id: revisionId } }),
    );
    return row === null || row.text_length === null ? undefined : Number(row.text_length);
  }

  /** The segment that holds offset `from`, or the next one after it. */
  async findSegment(
    ctx: RequestContext,
    revisionId: string,
    from: number,
  ): Promise<{ start: number; text: string } | undefined> {
    const row = await this.queryOne(ctx, FIND_SEGMENT, [revisionId, from]);
    return row === undefined ? undefined : { start: Number(row.text_start), text: row.body };
  }

  /** Where the original file of a revision lies, and how many bytes it has. */
  async findFile(
    ctx: RequestContext,
    revisionId: string,
  ): Promise<Pick<DocumentRevisionEntity, 'blob_key' | 'size_bytes' | 'content_guard'> | undefined> {
    return this.queryOne(ctx, FIND_FILE, [revisionId]);
  }
}
