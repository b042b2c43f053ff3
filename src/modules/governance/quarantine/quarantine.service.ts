import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { auditDocuments, DocumentTransitions, toBulkResult, type BulkResult } from '../../documents/index.js';
import type { ListQuarantineQuery, QuarantinePage, QuarantineRequest, ReleaseResult } from './quarantine.dto.js';
import { FindingsRepository } from '../findings/findings.repository.js';
import { QuarantinesRepository, type QuarantineRow } from './quarantines.repository.js';
import { ReleaseRule } from './release-rule.service.js';

/** Quarantines and releases documents at the request of callers. */
@Injectable()
export class QuarantineService {
  constructor(
    private readonly transitions: DocumentTransitions,
    private readonly quarantines: QuarantinesRepository,
    private readonly findings: FindingsRepository,
    private readonly rule: ReleaseRule,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Quarantines at most 500 documents, and the files of archives among them, in one transaction; those that cannot be moved are rejected
   * one by one. @throws 422 for an `until` in the past
   */
  async quarantine(ctx: RequestContext, request: QuarantineRequest): Promise<BulkResult> {
    const { document_ids: documentIds, reason, note = null } = request;
    const until = request.until === undefined || request.until === null ? null : new Date(request.until);
    if (until !== null && until.getTime() <= Date.now()) {
      throw validationFailed([{ pointer: '/until', code: 'in_the_future', detail: 'must be in the future' }]);
    }
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const outcome = await this.transitions.quarantine(inner, documentIds, reason);
      const moved = [...outcome.accepted, ...outcome.along];
      const ids = moved.map(({ id }) => id);
      await this.quarantines.open(inner, ids, { reason, note, until });
      const details = { reason, ...(until === null ? {} : { until: until.toISOString() }) };
      await auditDocuments(this.audit, inner, 'document.quarantined', moved, details);
      return toBulkResult(outcome);
    });
  }

  /**
   * Releases documents: they are ingested again, and the chunks that they showed before are searchable at once. If the tenant has
   * `release_needs_two`, the first call requests the release, and the call of another account grants it.
   */
  async release(ctx: RequestContext, documentIds: readonly string[]): Promise<ReleaseResult> {
    const wanted = [...new Set(documentIds.map((id) => id.toLowerCase()))];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const asked = await this.rule.ask(inner, wanted);
      const awaiting = new Set<string>(asked.map(({ id }) => id));
      const granted = await this.grant(
        inner,
        wanted.filter((id) => !awaiting.has(id)),
      );
      await auditDocuments(
        this.audit,
        inner,
        'document.release_asked',
        asked.filter(({ isNew }) => isNew),
      );
      return { ...granted, awaiting: [...awaiting] };
    });
  }

  async list(ctx: RequestContext, query: ListQuarantineQuery): Promise<QuarantinePage> {
    const page = await this.quarantines.listVisible(ctx, query);
    return { ...page, items: page.items.map(toView) };
  }

  private async grant(ctx: TransactionContext, ids: readonly string[]): Promise<BulkResult> {
    if (ids.length === 0) return { accepted: [], rejected: [] };
    const outcome = await this.transitions.release(ctx, ids);
    const moved = [...outcome.accepted, ...outcome.along];
    const released = moved.map(({ id }) => id);
    await this.quarantines.close(ctx, released);
    await this.findings.accept(ctx, released);
    await auditDocuments(this.audit, ctx, 'document.released', moved);
    return toBulkResult(outcome);
  }
}

function toView(row: QuarantineRow): QuarantinePage['items'][number] {
  return {
    ...row,
    quarantined_at: row.quarantined_at.toISOString(),
    until: row.until?.toISOString() ?? null,
    release_asked_at: row.release_asked_at?.toISOString() ?? null,
  };
}
