import { Injectable } from '@nestjs/common';
import type { DocumentId, TenantId } from '#libs/common';
import { systemRowsOf, UnitOfWork } from '#libs/database';
import type { ClaimLimits } from './claim-limits.js';
import { CLAIM } from './claim-statement.repository.js';

/** A document that a worker got hold of. */
export interface ClaimedTask {
  readonly documentId: DocumentId;
  readonly tenantId: TenantId;
  /** Fencing token: higher than every earlier one. */
  readonly token: string;
  /** How often the present attempt has been begun, this time included. */
  readonly tries: number;
  readonly sizeBytes: number;
  /** The request that asked for the work; null for a task of before requests were kept with them. */
  readonly requestId: string | null;
}

export interface ClaimRequest {
  /** Who holds the leases: `worker/run`. */
  readonly worker: string;
  readonly run: string;
  readonly leaseSeconds: number;
  /** Most documents that are taken together. */
  readonly most: number;
  readonly limits: ClaimLimits;
}

/** Takes documents' tasks by a statement of its own, for its order and because small documents go together. */
@Injectable()
export class IngestionTasksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Takes the next work in fair order: one document, or several small ones of one dataset. None when nothing waits that the
   * limits allow; null when another transaction holds what is next in this moment, so that the caller must ask again.
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
