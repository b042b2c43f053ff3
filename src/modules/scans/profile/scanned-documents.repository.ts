import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, type TransactionContext, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { isOpen } from '../../documents/index.js';
import { ScannedDocumentEntity } from '../runs/scan-run.entity.js';
import type { DocumentFacts } from './document-facts.js';

/** Data of a scan about a document. */
export interface ScannedDocument {
  readonly document_id: DocumentId;
  readonly facts: DocumentFacts;
  readonly signature: Buffer | null;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const INSERT = statement(
  {},
  `INSERT INTO scanned_documents (tenant_id, scan_run_id, document_id, facts, signature)
   SELECT $1, $2, s.id, s.facts, s.signature FROM unnest($3::uuid[], $4::jsonb[], $5::bytea[]) AS s(id, facts, signature)
   JOIN documents d ON d.id = s.id
   ON CONFLICT (scan_run_id, document_id) DO NOTHING`,
);
const FIND_LAST = statement(
  { last: result.orNull(result.uuid()), n: result.integer },
  `SELECT (SELECT document_id FROM scanned_documents WHERE scan_run_id = $1 ORDER BY document_id DESC LIMIT 1) AS last,
     (SELECT count(*) FROM scanned_documents WHERE scan_run_id = $1)::int AS n`,
);
const LIST_NEXT = statement(
  { ...columnsOf(ScannedDocumentEntity, 'document_id', 'signature'), facts: result.json<DocumentFacts>() },
  `SELECT s.document_id, s.facts, s.signature FROM scanned_documents s JOIN documents d ON d.id = s.document_id
   WHERE s.scan_run_id = $1 AND s.document_id > $2 AND ${isOpen('d')}
   ORDER BY s.document_id LIMIT $3`,
);
const FORGET = statement({}, `DELETE FROM scanned_documents WHERE scan_run_id = $1`);

/** Data of running scans about each document, so that another try can continue. */
@Injectable()
export class ScannedDocumentsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Idempotent; documents that were purged meanwhile are left out. */
  async add(ctx: TransactionContext, scanRunId: string, documents: readonly ScannedDocument[]): Promise<void> {
    await this.query(ctx, INSERT, [
      ctx.tenantId,
      scanRunId,
      documents.map((each) => each.document_id),
      documents.map((each) => JSON.stringify(each.facts)),
      documents.map((each) => each.signature),
    ]);
  }

  /** The last document in the order of ids, and the number of documents. */
  async findLast(ctx: RequestContext, scanRunId: string): Promise<{ readonly last: string; readonly count: number }> {
    const row = await this.queryOne(ctx, FIND_LAST, [scanRunId]);
    return { last: row?.last ?? BEFORE_ALL, count: row?.n ?? 0 };
  }

  /** Documents that are still visible, page by page. */
  async *read(ctx: RequestContext, scanRunId: string, pageSize: number): AsyncGenerator<readonly ScannedDocument[]> {
    for (let after = BEFORE_ALL; ;) {
      const page = await this.query(ctx, LIST_NEXT, [scanRunId, after, pageSize]);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)!.document_id;
    }
  }

  async forget(ctx: RequestContext, scanRunId: string): Promise<void> {
    await this.query(ctx, FORGET, [scanRunId]);
  }
}
