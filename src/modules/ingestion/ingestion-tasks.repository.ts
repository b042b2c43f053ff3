import { Injectable } from '@nestjs/common';
import type { DocumentId, TenantId } from '#libs/common';
import { rowsOf, systemRowsOf, UnitOfWork } from '#libs/database';
import type { ClaimLimits } from './claim-limits.js';
import { CLAIM } from './claim-statement.js';

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

export interface StrandedTask {
  readonly documentId: DocumentId;
  readonly tenantId: TenantId;
}

/** A lease that has run out. */
export interface LostTask extends StrandedTask {
  readonly token: string;
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

/** Tasks and their leases, of all tenants: ids and times only. */
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
    ];
    const rows = await systemRowsOf<ClaimedTask | { readonly documentId: null }>(this.unitOfWork, CLAIM, parameters, {
      durable: false,
    });
    const claimed = rows.filter((row): row is ClaimedTask => row.documentId !== null);
    return claimed.length === 0 && rows.length > 0 ? null : claimed;
  }

  /** Keeps leases alive; resolves to the ids whose lease is still held. A row that somebody else holds just now is skipped, not lost. */
  async extend(
    held: readonly Pick<ClaimedTask, 'documentId' | 'token'>[],
    leaseSeconds: number,
  ): Promise<DocumentId[]> {
    const rows = await systemRowsOf<{ id: DocumentId }>(
      this.unitOfWork,
      `WITH alive AS (
             SELECT t.document_id FROM unnest($1::uuid[], $2::bigint[]) AS h(id, token)
             JOIN ingestion_tasks t ON t.document_id = h.id AND t.fencing_token = h.token WHERE t.lease_owner IS NOT NULL
           ), free AS (
             SELECT document_id FROM ingestion_tasks WHERE document_id IN (SELECT document_id FROM alive) FOR UPDATE SKIP LOCKED
           ), extended AS (
             UPDATE ingestion_tasks t SET lease_expires_at = now() + make_interval(secs => $3)
             FROM free, unnest($1::uuid[], $2::bigint[]) AS h(id, token)
             WHERE t.document_id = free.document_id AND h.id = t.document_id AND t.fencing_token = h.token AND t.lease_owner IS NOT NULL
           )
           SELECT document_id AS id FROM alive`,
      [held.map((task) => task.documentId), held.map((task) => task.token), leaseSeconds],
      { durable: false },
    );
    return rows.map((row) => row.id);
  }

  /** Ends tasks that have nothing left to do, for instance because their document is gone. */
  async drop(tasks: readonly Pick<ClaimedTask, 'documentId' | 'token'>[]): Promise<void> {
    if (tasks.length === 0) return;
    await systemRowsOf(
      this.unitOfWork,
      `DELETE FROM ingestion_tasks WHERE document_id IN (
           SELECT t.document_id FROM unnest($1::uuid[], $2::bigint[]) AS d(id, token)
           JOIN ingestion_tasks t ON t.document_id = d.id AND t.fencing_token = d.token ORDER BY t.document_id FOR UPDATE OF t)`,
      [tasks.map((task) => task.documentId), tasks.map((task) => task.token)],
    );
  }

  /** Frees tasks whose worker died, and gives them. */
  async takeLost(limit: number): Promise<LostTask[]> {
    return systemRowsOf<LostTask>(
      this.unitOfWork,
      `UPDATE ingestion_tasks SET lease_owner = NULL, lease_expires_at = NULL
         WHERE document_id IN (
           SELECT document_id FROM ingestion_tasks WHERE lease_expires_at < now() ORDER BY lease_expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING document_id AS "documentId", tenant_id AS "tenantId", fencing_token AS token`,
      [limit],
    );
  }

  /** Lets tasks be taken whose time to wait is over. Resolves to how many. */
  async wake(limit: number): Promise<number> {
    const woken = await systemRowsOf(
      this.unitOfWork,
      `UPDATE ingestion_tasks SET not_before = NULL WHERE document_id IN (
           SELECT document_id FROM ingestion_tasks WHERE not_before <= now() ORDER BY not_before LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING document_id`,
      [limit],
    );
    return woken.length;
  }

  /**
   * Gives up to `limit` tasks that could be taken, each once per `quietSeconds`, to `promise`. They count as promised only when
   * it resolves, so that a crash meanwhile promises them twice rather than not at all.
   */
  async promiseWaiting(
    limit: number,
    quietSeconds: number,
    promise: (tasks: readonly StrandedTask[]) => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.runAsSystem(async (manager) => {
      const tasks = await rowsOf<StrandedTask>(
        manager,
        `UPDATE ingestion_tasks SET enqueued_at = now() WHERE document_id IN (
           SELECT document_id FROM ingestion_tasks
           WHERE lease_owner IS NULL AND not_before IS NULL AND enqueued_at <= now() - make_interval(secs => $2)
           LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING document_id AS "documentId", tenant_id AS "tenantId"`,
        [limit, quietSeconds],
      );
      if (tasks.length > 0) await promise(tasks);
    });
  }

  /** Makes every lease run out now: right only for a process that knows itself to be the only worker. */
  async releaseAll(): Promise<void> {
    await systemRowsOf(
      this.unitOfWork,
      `UPDATE ingestion_tasks SET lease_expires_at = now() - interval '1 second' WHERE lease_owner IS NOT NULL`,
    );
  }
}
