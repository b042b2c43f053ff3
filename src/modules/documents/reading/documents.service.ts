import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { DocumentRow } from '../record/document.entity.js';
import { FACET_NAMES, type DocumentFilter, type ListPlace } from '../record/document-list.repository.js';
import { toChunk, toDetail, toListItem, toStatus, toTimelineEntry } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import { DocumentsRepository } from '../record/documents.repository.js';
import type {
  DocumentChunkPage,
  DocumentDetail,
  DocumentPage,
  DocumentStatus,
  DocumentTimelineResponse,
} from '../record/document.dto.js';
import type { DocumentFacets, DocumentFilters, ListDocumentsQuery } from '../record/list-documents.dto.js';
import { cursorAt, placeOf } from '../record/list-cursor.js';
import { PoliciesInForce } from './policies-in-force.service.js';

/** The part of a document that is read. */
export type DocumentPart = 'text' | 'chunks' | 'content' | 'dry_run';

/** Reads documents that a caller can see. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly repository: DocumentsRepository,
    private readonly audit: AuditLog,
    private readonly policies: PoliciesInForce,
  ) {}

  /** @throws `documents.not_found` for a document that is absent, deleted or not visible. */
  async require(ctx: RequestContext, documentId: string): Promise<DocumentRow> {
    const row = isUuid(documentId) ? await this.repository.findVisible(ctx, documentId) : undefined;
    if (row === undefined) throw documentErrors.not_found({});
    return row;
  }

  /**
   * The same for reading its content. Reading a quarantined document is recorded in the audit log before the content is returned.
   * @throws `documents.quarantined` as well, for a quarantined document without the permission `governance:read`
   */
  async requireReadable(ctx: RequestContext, documentId: string, part: DocumentPart): Promise<DocumentRow> {
    const row = await this.require(ctx, documentId);
    if (row.quarantined_at === null || ctx.principal.kind === 'system') return row;
    if (!ctx.principal.permissions.has('governance:read')) throw documentErrors.quarantined({});
    const details = { dataset_id: row.dataset_id, part };
    await this.audit.append(ctx, { event: 'document.quarantined_read', subject: `document:${row.id}`, details });
    return row;
  }

  async status(ctx: RequestContext, documentId: string): Promise<DocumentStatus> {
    return toStatus(await this.require(ctx, documentId));
  }

  async detail(ctx: RequestContext, documentId: string): Promise<DocumentDetail> {
    return toDetail(await this.require(ctx, documentId));
  }

  async list(ctx: RequestContext, query: ListDocumentsQuery): Promise<DocumentPage> {
    const { skip, limit, order_by: orderBy } = query;
    const after = startOf(query);
    const page = { orderBy, skip, limit, ...(after === undefined ? {} : { after }) };
    const { rows, total } = await this.repository.listVisible(ctx, await this.filterOf(ctx, query), page);
    const items = rows.slice(0, limit);
    const next = rows.length > limit ? cursorAt(orderBy, items.at(-1)!) : null;
    return { items: items.map(toListItem), total, skip, limit, next };
  }

  async facets(ctx: RequestContext, query: DocumentFilters): Promise<DocumentFacets> {
    const { total, by } = await this.repository.countVisible(ctx, await this.filterOf(ctx, query));
    const counts = FACET_NAMES.map((name) => [name, by[name].map(({ value, n }) => ({ value, count: n }))] as const);
    return { total, ...(Object.fromEntries(counts) as Omit<DocumentFacets, 'total'>) };
  }

  /** @throws `http.validation_failed` for `outdated` without a dataset, whose policy decides */
  private async filterOf(ctx: RequestContext, query: DocumentFilters): Promise<DocumentFilter> {
    const filter = filterOf(query);
    if (query.outdated === undefined) return filter;
    if (query.dataset_id === undefined) {
      const detail = 'needs dataset_id, because each dataset has its own ingestion policy';
      throw validationFailed([{ pointer: '/outdated', code: 'dependency', detail }]);
    }
    const versions = await this.policies.versionsOf(ctx, query.dataset_id);
    return { ...filter, outdated: { is: query.outdated, versions } };
  }

  async timeline(ctx: RequestContext, documentId: string): Promise<DocumentTimelineResponse> {
    const row = await this.require(ctx, documentId);
    const items = (await this.repository.listEvents(ctx, row.id)).map(toTimelineEntry);
    return { document_id: row.id, items, total: items.length };
  }

  async chunks(ctx: RequestContext, documentId: string, skip: number, limit: number): Promise<DocumentChunkPage> {
    const row = await this.requireReadable(ctx, documentId, 'chunks');
    const page = await this.repository.listVisibleChunks(ctx, row, skip, limit);
    return { ...page, items: page.items.map(toChunk) };
  }
}

function startOf({ after, skip, order_by }: ListDocumentsQuery): ListPlace | undefined {
  if (after === undefined) return undefined;
  if (skip > 0) {
    const detail = 'cannot be combined with skip, because after already sets where the page begins';
    throw validationFailed([{ pointer: '/after', code: 'conflict', detail }]);
  }
  const place = placeOf(after, order_by);
  if (place !== undefined) return place;
  const detail = `must be the unchanged value of next from a page with order_by=${order_by}`;
  throw validationFailed([{ pointer: '/after', code: 'is_cursor', detail }]);
}

function filterOf(query: DocumentFilters): DocumentFilter {
  const filter = {
    datasetId: query.dataset_id,
    archiveId: query.archive_id,
    status: query.status,
    q: query.q,
    tag: query.tag,
    mediaType: query.media_type,
    searchable: query.searchable,
    errorCode: query.error_code,
    warningCode: query.warning_code,
    waitingReason: query.waiting_reason,
    sha256: query.sha256?.map((sum) => sum.toLowerCase()),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
