import { Injectable } from '@nestjs/common';
import type { Page } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { ChunkRow, DocumentEventRow, DocumentRow, DocumentStatusName } from './document.entity.js';
import type { DocumentOrder } from './dto/list-documents.dto.js';

export interface DocumentFilter {
  readonly datasetId?: string;
  readonly status?: DocumentStatusName;
  readonly q?: string;
  readonly tag?: string;
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
    return this.queryOne<DocumentRow>(
      ctx,
      `SELECT d.* FROM documents d JOIN datasets s ON s.id = d.dataset_id
       WHERE d.id = $1 AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND (${visible.sql})`,
      [documentId, ...visible.parameters],
    );
  }

  async listVisible(ctx: RequestContext, filter: DocumentFilter): Promise<Page<DocumentRow>> {
    const parameters: unknown[] = [];
    const conditions = ['d.deleted_at IS NULL', 's.deleted_at IS NULL'];
    const add = (sql: (n: string) => string, value: unknown): void => {
      parameters.push(value);
      conditions.push(sql(`$${parameters.length}`));
    };
    if (filter.datasetId !== undefined) add((n) => `d.dataset_id = ${n}`, filter.datasetId);
    if (filter.status !== undefined) add((n) => `d.status = ${n}`, filter.status);
    if (filter.tag !== undefined) add((n) => `${n} = ANY(d.tags)`, filter.tag);
    if (filter.q !== undefined) add((n) => `d.name ILIKE ${n}`, `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`);
    const visible = this.access.visibilityCondition(ctx, 's', parameters.length + 1);
    parameters.push(...visible.parameters);
    const from = `FROM documents d JOIN datasets s ON s.id = d.dataset_id WHERE ${conditions.join(' AND ')} AND (${visible.sql})`;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne<{ n: number }>(inner, `SELECT count(*)::int AS n ${from}`, parameters);
      const items = await this.query<DocumentRow>(
        inner,
        `SELECT d.* ${from} ORDER BY ${ORDERS[filter.orderBy]} LIMIT ${filter.limit} OFFSET ${filter.skip}`,
        parameters,
      );
      return { items, total: total?.n ?? 0, skip: filter.skip, limit: filter.limit };
    });
  }

  async listEvents(ctx: RequestContext, documentId: string): Promise<DocumentEventRow[]> {
    return this.query<DocumentEventRow>(
      ctx,
      `SELECT event, stage, details, created_at FROM document_events WHERE document_id = $1 ORDER BY seq`,
      [documentId],
    );
  }

  /** Chunks of the visible set, in the order of the text. */
  async listVisibleChunks(
    ctx: RequestContext,
    document: DocumentRow,
    skip: number,
    limit: number,
  ): Promise<Page<ChunkRow>> {
    const items = await this.query<ChunkRow>(
      ctx,
      `SELECT id, ordinal, text_start, text_end, body, token_count, heading_path, page, page_end, sheet, row_number
       FROM chunks WHERE chunk_set_id = $1 ORDER BY ordinal LIMIT $2 OFFSET $3`,
      [document.visible_chunk_set_id, limit, skip],
    );
    return { items, total: document.visible_chunk_set_id === null ? 0 : document.chunk_count, skip, limit };
  }

  /** Length of the revision's canonical text in UTF-16 code units; undefined before it has been parsed. */
  async findTextLength(ctx: RequestContext, revisionId: string): Promise<number | undefined> {
    const row = await this.queryOne<{ text_length: string | null }>(
      ctx,
      `SELECT text_length FROM document_revisions WHERE id = $1`,
      [revisionId],
    );
    return row?.text_length === null || row === undefined ? undefined : Number(row.text_length);
  }

  /** The segment that holds offset `from`, or the next one after it. */
  async findSegment(
    ctx: RequestContext,
    revisionId: string,
    from: number,
  ): Promise<{ start: number; text: string } | undefined> {
    const row = await this.queryOne<{ text_start: string; body: string }>(
      ctx,
      `SELECT text_start, body FROM document_segments WHERE revision_id = $1 AND text_end > $2 ORDER BY text_start LIMIT 1`,
      [revisionId, from],
    );
    return row === undefined ? undefined : { start: Number(row.text_start), text: row.body };
  }

  /** Where the original file of a revision lies, and how many bytes it has. */
  async findFile(
    ctx: RequestContext,
    revisionId: string,
  ): Promise<{ readonly blob_key: string; readonly size_bytes: string } | undefined> {
    return this.queryOne(ctx, `SELECT blob_key, size_bytes FROM document_revisions WHERE id = $1`, [revisionId]);
  }
}
