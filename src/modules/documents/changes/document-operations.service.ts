import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { StorageSpace } from '#libs/storage-space';
import type { RequestContext } from '#libs/tenancy';
import type { DocumentRow } from '../record/document.entity.js';
import { DatasetPurgesService } from '../deletion/dataset-purges.service.js';
import { auditDocuments } from '../record/document-audit.js';
import { readSelection, type DocumentConditions, type DocumentSelection } from './document-selection.js';
import { DocumentTransitions } from '../record/document-transitions.service.js';
import type { MoveOutcome } from '../record/move-outcome.js';
import { toStatus } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import type {
  BatchDeleteRequest,
  BatchReingestRequest,
  BatchRetryRequest,
  BulkResult,
  DocumentIds,
} from './bulk.dto.js';
import type { DocumentStatus } from '../record/document.dto.js';
import { SelectedDocuments } from './selected-documents.repository.js';

type Move = (ctx: RequestContext, ids: readonly string[]) => Promise<MoveOutcome>;

/** Cancels, retries, reingests and deletes documents, one or many at once. */
@Injectable()
export class DocumentOperationsService {
  constructor(
    private readonly transitions: DocumentTransitions,
    private readonly selected: SelectedDocuments,
    private readonly purges: DatasetPurgesService,
    private readonly space: StorageSpace,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws `documents.not_found`, `documents.illegal_state` */
  async cancel(ctx: RequestContext, documentId: string): Promise<DocumentStatus> {
    return toStatus(only(await this.transitions.cancel(ctx, [documentId])));
  }

  /** @throws `documents.not_found`, `documents.illegal_state` */
  async retry(ctx: RequestContext, documentId: string): Promise<DocumentStatus> {
    return toStatus(only(await this.transitions.retry(ctx, [documentId])));
  }

  /** @throws `documents.not_found` */
  async delete(ctx: RequestContext, documentId: string): Promise<void> {
    only(await this.deleteAll(ctx, [documentId]));
  }

  async reingestMany(ctx: RequestContext, request: BatchReingestRequest): Promise<BulkResult> {
    const selection = among(readSelection(request, { needsCondition: false }), { status: 'completed' });
    return this.each(ctx, selection, (inner, ids) => this.transitions.reingest(inner, ids));
  }

  async retryMany(ctx: RequestContext, request: BatchRetryRequest): Promise<BulkResult> {
    const selection = among(readSelection(request, { needsCondition: false }), { status: 'failed' });
    return this.each(ctx, selection, (inner, ids) => this.transitions.retry(inner, ids));
  }

  async cancelMany(ctx: RequestContext, request: DocumentIds): Promise<BulkResult> {
    const selection = readSelection(request, { needsCondition: false });
    return this.each(ctx, selection, (inner, ids) => this.transitions.cancel(inner, ids));
  }

  async deleteMany(ctx: RequestContext, request: BatchDeleteRequest): Promise<BulkResult> {
    const selection = readSelection(request, { needsCondition: true });
    return this.each(ctx, selection, (inner, ids) => this.deleteAll(inner, ids));
  }

  private async each(ctx: RequestContext, selection: DocumentSelection, move: Move): Promise<BulkResult> {
    const outcomes: BulkResult[] = [];
    await this.selected.forEachBatch(ctx, selection, async (ids) => {
      outcomes.push(toBulkResult(await move(ctx, ids)));
    });
    return {
      accepted: outcomes.flatMap(({ accepted }) => accepted),
      rejected: outcomes.flatMap(({ rejected }) => rejected),
    };
  }

  /** Deleted documents cannot be restored; if disk space is scarce, their data is purged at once. */
  private async deleteAll(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    const isScarce = await this.space.isScarce();
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const outcome = await this.transitions.delete(inner, ids);
      await auditDocuments(this.audit, inner, 'document.deleted', [...outcome.accepted, ...outcome.along]);
      const datasets = isScarce ? new Set(outcome.accepted.map((row) => row.dataset_id)) : [];
      for (const datasetId of [...datasets].sort()) await this.purges.purge(inner, datasetId);
      return outcome;
    });
  }
}

/** The only document of an outcome. @throws the error for which it was rejected */
function only({ accepted, rejected }: Omit<MoveOutcome, 'along'>): DocumentRow {
  const row = accepted[0];
  if (row !== undefined) return row;
  throw rejected[0]?.error ?? documentErrors.not_found({});
}

/** A selection by conditions covers only documents whose status allows the operation. */
function among(selection: DocumentSelection, conditions: DocumentConditions): DocumentSelection {
  if (selection.kind === 'ids') return selection;
  return { ...selection, conditions: { ...selection.conditions, ...conditions } };
}

/** The outcome as a caller sees it. */
export function toBulkResult({ accepted, rejected }: Omit<MoveOutcome, 'along'>): BulkResult {
  return {
    accepted: accepted.map((row) => row.id),
    rejected: rejected.map(({ id, error }) => ({ id, code: error.code, detail: error.message })),
  };
}
