import { Injectable } from '@nestjs/common';
import type { DocumentId, TenantId } from '#libs/common';
import { systemRowsOf, UnitOfWork } from '#libs/database';
import type { ClaimLimits } from './claim-limits.js';
import { CLAIM } from './claim-statement.repository.js';

/** A document that a worker has claimed. */
export interface ClaimedTask {
  readonly documentId: DocumentId;
  readonly tenantId: TenantId;
  /** Fencing token: higher than every earlier one. */
  readonly token: string;
  /** Number of times that the present attempt has been begun, including this time. */
  readonly tries: number;
  readonly sizeBytes: number;
  /** The request that caused the work; null for tasks from before this was stored. */
  readonly requestId: string | null;
}

export interface ClaimRequest {
  /** Owner of the leases: `worker/run`. */
  readonly worker: string;
  readonly run: string;
  readonly leaseSeconds: number;
  /** Maximum number of documents of one claim. */
  readonly most: number;
  readonly limits: ClaimLimits;
}

/** Claims ingestion tasks with a separate statement, because they have their own order and small documents are grouped. */
@Injectable()
export class IngestionTasksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Claims the next tasks in fair order: one document, or several small ones of one dataset. Empty when no waiting task is within the
   * limits; null when another transaction has locked the next tasks at this moment and the caller must try again.
   */
  async claim(request: ClaimRequest): Promise<ClaimedTask[] | null> {
    const { worker, run, leaseSeconds, most, limits } = request;
    const parameters = [
      `${worker}/`,
      `${worker}/${run}`,
      leaseSeconds,
      most,
      limits.tenantRuns,
      limits.large,
      limits.tenantLarge,
      limits.largeFirst,
      limits.agedSeconds,
      limits.sharedRuns,
    ];
    const rows = await systemRowsOf<ClaimedTask | { readonly documentId: null }>(this.unitOfWork, CLAIM, parameters, {
      durable: false,
    });
    const claimed = rows.filter((row): row is ClaimedTask => row.documentId !== null);
    return claimed.length === 0 && rows.length > 0 ? null : claimed;
  }
}
