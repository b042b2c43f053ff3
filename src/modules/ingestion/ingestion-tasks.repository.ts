import { Injectable } from '@nestjs/common';
import type { DocumentId, TenantId } from '#libs/common';
import { rowsOf, UnitOfWork } from '#libs/database';

/** What a worker got hold of. */
export interface ClaimedTask {
  /** Fencing token: higher than every earlier one. */
  readonly token: string;
  /** How often the present attempt has been begun, this time included. */
  readonly tries: number;
}

export interface StrandedTask {
  readonly documentId: DocumentId;
  readonly tenantId: TenantId;
}

/** Tasks and their leases, of all tenants: ids and times only. */
@Injectable()
export class IngestionTasksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Takes the lease if it is free or has run out; undefined when another worker holds it or nothing is to be done. */
  async claim(documentId: DocumentId, owner: string, leaseSeconds: number): Promise<ClaimedTask | undefined> {
    const rows = await this.unitOfWork.runAsSystem(
      (manager) =>
        rowsOf<ClaimedTask>(
          manager,
          `UPDATE ingestion_tasks SET lease_owner = $2, lease_expires_at = now() + make_interval(secs => $3),
           fencing_token = nextval('fencing_tokens'), tries = tries + 1
         WHERE document_id = $1 AND (lease_owner IS NULL OR lease_expires_at < now())
         RETURNING fencing_token AS token, tries`,
          [documentId, owner, leaseSeconds],
        ),
      { durable: false },
    );
    return rows[0];
  }

  /** Keeps a lease alive; false when it is lost. */
  async extend(documentId: DocumentId, token: string, leaseSeconds: number): Promise<boolean> {
    const rows = await this.unitOfWork.runAsSystem(
      (manager) =>
        rowsOf(
          manager,
          `UPDATE ingestion_tasks SET lease_expires_at = now() + make_interval(secs => $3)
         WHERE document_id = $1 AND fencing_token = $2 RETURNING document_id`,
          [documentId, token, leaseSeconds],
        ),
      { durable: false },
    );
    return rows.length === 1;
  }

  /** Gives a lease back, so that another worker need not wait for its end; `counts` false: this try is not counted. */
  async release(documentId: DocumentId, token: string, counts: boolean): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `UPDATE ingestion_tasks SET lease_owner = NULL, lease_expires_at = NULL, tries = tries - $3::int, enqueued_at = now()
         WHERE document_id = $1 AND fencing_token = $2`,
        [documentId, token, counts ? 0 : 1],
      ),
    );
  }

  /** Ends a task that has nothing left to do, for instance because its document is gone. */
  async drop(documentId: DocumentId, token: string): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`DELETE FROM ingestion_tasks WHERE document_id = $1 AND fencing_token = $2`, [documentId, token]),
    );
  }

  /**
   * Gives tasks whose worker died, and tasks whose job got lost, to `promise`; each once per `quietSeconds`. They count as
   * promised only when it resolves, so that a crash meanwhile promises them twice rather than not at all.
   */
  async takeStranded(
    limit: number,
    quietSeconds: number,
    promise: (tasks: readonly StrandedTask[]) => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.runAsSystem(async (manager) => {
      const tasks = await rowsOf<StrandedTask>(
        manager,
        `UPDATE ingestion_tasks SET enqueued_at = now(), lease_owner = NULL, lease_expires_at = NULL
         WHERE document_id IN (
           SELECT document_id FROM ingestion_tasks
           WHERE lease_expires_at < now() OR (lease_owner IS NULL AND enqueued_at < now() - make_interval(secs => $2))
           ORDER BY enqueued_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING document_id AS "documentId", tenant_id AS "tenantId"`,
        [limit, quietSeconds],
      );
      await promise(tasks);
    });
  }

  /**
   * Frees every lease and has every task promised anew: right only for a process that knows itself to be the only worker. A task
   * without a lease may have lost its job too, to a worker that died before it took the lease; the queue notices after 30 s only.
   */
  async releaseAll(): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE ingestion_tasks SET lease_expires_at = now() - interval '1 second'`),
    );
  }
}
