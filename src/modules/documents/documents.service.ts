import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { DocumentRow } from './document.entity.js';
import { toChunk, toDetail, toListItem, toStatus, toTimelineEntry } from './document-views.js';
import { documentErrors } from './documents.errors.js';
import { DocumentsRepository } from './documents.repository.js';
import type {
  DocumentChunkPage,
  DocumentDetail,
  DocumentPage,
  DocumentStatus,
  DocumentTimelineResponse,
} from './dto/document.dto.js';
import type { ListDocumentsQuery } from './dto/list-documents.dto.js';

/** What of a document is read. */
export type DocumentPart = 'text' | 'chunks' | 'content' | 'dry_run';

/** Documents as a caller sees them. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly repository: DocumentsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** @throws `documents.not_found` for what is absent, deleted or not visible. */
  async require(ctx: RequestContext, documentId: string): Promise<DocumentRow> {
    const row = isUuid(documentId) ? await this.repository.findVisible(ctx, documentId) : undefined;
    if (row === undefined) throw documentErrors.not_found({});
    return row;
  }

  /**
   * The same for whoever reads what is in it. That somebody reads a quarantined document stands in the audit log before it is shown.
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
    const page = await this.repository.listVisible(ctx, {
      ...(query.dataset_id === undefined ? {} : { datasetId: query.dataset_id }),
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.q === undefined ? {} : { q: query.q }),
      ...(query.tag === undefined ? {} : { tag: query.tag }),
      ...(query.archive_id === undefined ? {} : { archiveId: query.archive_id }),
      orderBy: query.order_by,
      skip: query.skip,
      limit: query.limit,
    });
    return { ...page, items: page.items.map(toListItem) };
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
