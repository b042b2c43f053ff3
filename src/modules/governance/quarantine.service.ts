import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { auditDocuments, DocumentTransitions, toBulkResult, type BulkResult } from '../documents/index.js';
import type { ListQuarantineQuery, QuarantinePage } from './dto/quarantine.dto.js';
import { FindingsRepository } from './findings.repository.js';
import { QuarantinesRepository, type QuarantineRow } from './quarantines.repository.js';

/** Quarantine by hand: out of every search before the answer, and back again. */
@Injectable()
export class QuarantineService {
  constructor(
    private readonly transitions: DocumentTransitions,
    private readonly quarantines: QuarantinesRepository,
    private readonly findings: FindingsRepository,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** At most 500 documents, all in one transaction; those that cannot be moved are rejected one by one. */
  async quarantine(
    ctx: RequestContext,
    documentIds: readonly string[],
    why: { readonly reason: string; readonly note: string | null },
  ): Promise<BulkResult> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const outcome = await this.transitions.quarantine(inner, documentIds, why.reason);
      await this.quarantines.open(
        inner,
        outcome.accepted.map(({ id }) => id),
        why,
      );
      await auditDocuments(this.audit, inner, 'document.quarantined', outcome.accepted, { reason: why.reason });
      return toBulkResult(outcome);
    });
  }

  /** The same the other way; released documents are ingested again, and what they showed is searchable at once. */
  async release(ctx: RequestContext, documentIds: readonly string[]): Promise<BulkResult> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const outcome = await this.transitions.release(inner, documentIds);
      const released = outcome.accepted.map(({ id }) => id);
      await this.quarantines.close(inner, released);
      await this.findings.accept(inner, released);
      await auditDocuments(this.audit, inner, 'document.released', outcome.accepted);
      return toBulkResult(outcome);
    });
  }

  async list(ctx: RequestContext, query: ListQuarantineQuery): Promise<QuarantinePage> {
    const page = await this.quarantines.listVisible(ctx, {
      ...(query.dataset_id === undefined ? {} : { datasetId: query.dataset_id }),
      orderBy: query.order_by,
      skip: query.skip,
      limit: query.limit,
    });
    return { ...page, items: page.items.map(toView) };
  }
}

function toView(row: QuarantineRow): QuarantinePage['items'][number] {
  return { ...row, quarantined_at: row.quarantined_at.toISOString() };
}
