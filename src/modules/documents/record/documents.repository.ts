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
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import type { ChunkRow } from './chunk-row.js';
import { DocumentEntity, type DocumentEventRow, type DocumentRow } from './document.entity.js';
import {
  behind,
  conditionOf,
  countingOf,
  EVERY_CONDITION,
  FACET_NAMES,
  FILTER_OF_FACET,
  LISTED_DOCUMENTS,
  orderOf,
  type DocumentFilter,
  type FacetName,
  type ListPlace,
} from './document-list.repository.js';
import { DOCUMENT_ORDERS, type DocumentOrder } from './list-documents.dto.js';
import { DocumentEventEntity } from './document-event.entity.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';

const MAX_FACET_VALUES = 100;

export interface FacetValue {
  readonly value: string;
  readonly n: number;
}

interface FacetRow extends FacetValue {
  readonly facet: FacetName | 'total';
}

/** Counts of documents, by each facet. */
export interface DocumentCountsBy {
  readonly total: number;
  readonly by: Readonly<Record<FacetName, readonly FacetValue[]>>;
}

/** Order and beginning of a page of a list. */
export interface DocumentListPage {
  readonly orderBy: DocumentOrder;
  readonly after?: ListPlace;
  readonly skip: number;
  readonly limit: number;
}

/** Conditions of lists, without any filter and with all filters, for each kind of caller. */
const LISTED = [{}, EVERY_CONDITION]
  .map(conditionOf)
  .flatMap(({ sql, parameters }) =>
    visibilityVariantsOf('s', parameters.length + 1).map((visible) => `${sql} AND (${visible})`),
  );
const FIND_VISIBLE = statementFamily(
  allColumnsOf(DocumentEntity),
  (visible: string) =>
    `SELECT d.* ${LISTED_DOCUMENTS} WHERE d.id = $1 AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND (${visible})`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const COUNT_VISIBLE = statementFamily(
  { n: result.integer },
  (where: string) => `SELECT count(*)::int AS n ${LISTED_DOCUMENTS} WHERE ${where}`,
  LISTED.map((where) => [where] as const),
);
const ANYWHERE = { value: '', id: '' };
const LIST_VISIBLE = statementFamily(
  allColumnsOf(DocumentEntity),
  (where: string, order: DocumentOrder, limit: number, skip: number) =>
    `SELECT d.* ${LISTED_DOCUMENTS} WHERE ${where} ORDER BY ${orderOf(order)} LIMIT ${limit} OFFSET ${skip}`,
  [
    ...LISTED.flatMap((where) => DOCUMENT_ORDERS.map((order) => [where, order, 20, 0] as const)),
    ...DOCUMENT_ORDERS.map((order) => [behind(order, ANYWHERE, 1).sql, order, 20, 0] as const),
  ],
);
const COUNT_BY = statementFamily(
  { facet: result.text<FacetName | 'total'>(), value: result.text(), n: result.integer },
  (facets: readonly FacetName[], where: string) => countingOf(facets, where, MAX_FACET_VALUES),
  [FACET_NAMES, ...FACET_NAMES.map((name) => [name])].flatMap((facets) =>
    LISTED.map((where) => [facets, where] as const),
  ),
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

/** Reads documents that the caller can see. */
@Injectable()
export class DocumentsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The document; undefined if it is absent, deleted, or in a dataset that the caller cannot see. */
  async findVisible(ctx: RequestContext, documentId: string): Promise<DocumentRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.queryOne(ctx, FIND_VISIBLE.of(visible.sql), [documentId, ...visible.parameters]);
  }

  /** Returns one row more than the page if there is a next page. */
  async listVisible(
    ctx: RequestContext,
    filter: DocumentFilter,
    { orderBy, after, skip, limit }: DocumentListPage,
  ): Promise<{ readonly rows: readonly DocumentRow[]; readonly total: number }> {
    const { where, parameters } = this.listed(ctx, filter);
    const place = after === undefined ? undefined : behind(orderBy, after, parameters.length + 1);
    const within = place === undefined ? where : `${where} AND ${place.sql}`;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT_VISIBLE.of(where), parameters);
      const all = [...parameters, ...(place?.parameters ?? [])];
      const rows = await this.query(inner, LIST_VISIBLE.of(within, orderBy, limit + 1, skip), all);
      return { rows, total: total?.n ?? 0 };
    });
  }

  /**
   * The number of documents that match a filter, and for each facet the number of documents by value, without the filter's own condition on
   * that facet. Documents are read once, and once more for each facet that the filter has a condition on.
   */
  async countVisible(ctx: RequestContext, filter: DocumentFilter): Promise<DocumentCountsBy> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const all = await this.countBy(inner, FACET_NAMES, filter);
      const by: Partial<Record<FacetName, readonly FacetValue[]>> = {};
      for (const name of FACET_NAMES) {
        const { [FILTER_OF_FACET[name]]: own, ...others } = filter;
        const rows = own === undefined ? all : await this.countBy(inner, [name], others);
        by[name] = rows.filter(({ facet }) => facet === name);
      }
      const total = all.find(({ facet }) => facet === 'total')?.n ?? 0;
      return { total, by: by as DocumentCountsBy['by'] };
    });
  }

  private countBy(ctx: RequestContext, facets: readonly FacetName[], filter: DocumentFilter): Promise<FacetRow[]> {
    const { where, parameters } = this.listed(ctx, filter);
    return this.query(ctx, COUNT_BY.of(facets, where), parameters);
  }

  private listed(
    ctx: RequestContext,
    filter: DocumentFilter,
  ): { readonly where: string; readonly parameters: readonly unknown[] } {
    const wanted = conditionOf(filter);
    const visible = this.access.visibilityCondition(ctx, 's', wanted.parameters.length + 1);
    return {
      where: `${wanted.sql} AND (${visible.sql})`,
      parameters: [...wanted.parameters, ...visible.parameters],
    };
  }

  /** Whether the bytes of an archive contain a file that is withheld or deleted. */
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

  /** The shown chunks, in the order of the text. */
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

  /** The segment that contains offset `from`, or the next one after it. */
  async findSegment(
    ctx: RequestContext,
    revisionId: string,
    from: number,
  ): Promise<{ start: number; text: string } | undefined> {
    const row = await this.queryOne(ctx, FIND_SEGMENT, [revisionId, from]);
    return row === undefined ? undefined : { start: Number(row.text_start), text: row.body };
  }

  /** Key and size in bytes of the original of a revision. */
  async findFile(
    ctx: RequestContext,
    revisionId: string,
  ): Promise<Pick<DocumentRevisionEntity, 'blob_key' | 'size_bytes' | 'content_guard'> | undefined> {
    return this.queryOne(ctx, FIND_FILE, [revisionId]);
  }
}
