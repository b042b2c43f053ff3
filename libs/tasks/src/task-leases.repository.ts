import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import { columnsOf, result, SQL_NOW, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { TaskEntity } from './task.entity.js';

/** A task as the holder of its lease names it. */
export interface HeldTask {
  readonly id: string;
  readonly token: string;
}

/** A lease that has run out. */
export interface LostTask extends HeldTask {
  readonly kind: string;
  readonly tenantId: TenantId;
}

/** A lease that is still held. */
export interface KeptTask {
  readonly id: string;
  readonly isCancelled: boolean;
}

const EXTEND = statement(
  { ...columnsOf(TaskEntity, 'id'), isCancelled: result.boolean },
  `WITH alive AS (
     SELECT t.id, t.cancel_requested_at FROM unnest($1::uuid[], $2::bigint[]) AS h(id, token)
     JOIN tasks t ON t.id = h.id AND t.fencing_token = h.token WHERE t.lease_owner IS NOT NULL
   ), free AS (
     SELECT id FROM tasks WHERE id IN (SELECT id FROM alive) FOR UPDATE SKIP LOCKED
   ), extended AS (
     UPDATE tasks t SET lease_expires_at = now() + make_interval(secs => $3)
     FROM free, unnest($1::uuid[], $2::bigint[]) AS h(id, token)
     WHERE t.id = free.id AND h.id = t.id AND t.fencing_token = h.token AND t.lease_owner IS NOT NULL
   )
   SELECT id, cancel_requested_at IS NOT NULL AS "isCancelled" FROM alive`,
);
const DROP = statement(
  {},
  `DELETE FROM tasks WHERE id IN (
     SELECT t.id FROM unnest($1::uuid[], $2::bigint[]) AS d(id, token)
     JOIN tasks t ON t.id = d.id AND t.fencing_token = d.token ORDER BY t.id FOR UPDATE OF t)`,
);
const TAKE_LOST = statement(
  { ...columnsOf(TaskEntity, 'id', 'kind'), tenantId: result.uuid<TenantId>(), token: result.orNull(result.bigint) },
  `UPDATE tasks SET lease_owner = NULL, lease_expires_at = NULL,
     status = CASE WHEN cancel_requested_at IS NULL THEN 'open' ELSE 'cancelled' END,
     ended_at = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE now() END
   WHERE id IN (SELECT id FROM tasks WHERE lease_expires_at < ${SQL_NOW} ORDER BY lease_expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id, kind, tenant_id AS "tenantId", fencing_token AS token`,
);
const WAKE = statement(
  columnsOf(TaskEntity, 'kind'),
  `UPDATE tasks SET not_before = NULL WHERE id IN (
     SELECT id FROM tasks WHERE not_before <= ${SQL_NOW} ORDER BY not_before LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING kind`,
);
const LIST_WAITING_KINDS = statement(
  columnsOf(TaskEntity, 'kind'),
  `SELECT DISTINCT kind FROM tasks
   WHERE kind <> 'ingestion' AND status = 'open' AND lease_owner IS NULL AND not_before IS NULL
   UNION ALL SELECT 'ingestion' WHERE EXISTS (
     SELECT 1 FROM tasks WHERE kind = 'ingestion' AND lease_owner IS NULL AND not_before IS NULL)`,
);
const RELEASE_ALL = statement(
  {},
  `UPDATE tasks SET lease_expires_at = now() - interval '1 second' WHERE lease_owner IS NOT NULL`,
);

/** Leases of tasks of all kinds and tenants: ids and times only. */
@Injectable()
export class TaskLeasesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Keeps leases alive; resolves to those that are still held. A row that someone else holds just now is skipped, not lost. */
  async extend(held: readonly HeldTask[], leaseSeconds: number): Promise<KeptTask[]> {
    return systemRowsOf(
      this.unitOfWork,
      EXTEND,
      [held.map(({ id }) => id), held.map(({ token }) => token), leaseSeconds],
      { durable: false },
    );
  }

  /** Removes tasks that have nothing left to do and whose lease is still held. */
  async drop(held: readonly HeldTask[]): Promise<void> {
    if (held.length === 0) return;
    await systemRowsOf(this.unitOfWork, DROP, [held.map(({ id }) => id), held.map(({ token }) => token)]);
  }

  /** Frees tasks whose worker died, and gives them; one whose cancellation it did not notice any more is cancelled. */
  async takeLost(limit: number): Promise<LostTask[]> {
    const lost = await systemRowsOf(this.unitOfWork, TAKE_LOST, [limit]);
    // No lease is given without a token.
    return lost.map((task) => ({ ...task, token: task.token! }));
  }

  /** Lets tasks be taken whose time to wait is over. Resolves to their kinds. */
  async wake(limit: number): Promise<ReadonlySet<string>> {
    const woken = await systemRowsOf(this.unitOfWork, WAKE, [limit]);
    return new Set(woken.map(({ kind }) => kind));
  }

  /** Kinds with tasks that could be taken. */
  async listWaitingKinds(): Promise<string[]> {
    const rows = await systemRowsOf(this.unitOfWork, LIST_WAITING_KINDS);
    return rows.map(({ kind }) => kind);
  }

  /** Makes every lease run out now: right only for a process that knows itself to be the only worker. */
  async releaseAll(): Promise<void> {
    await systemRowsOf(this.unitOfWork, RELEASE_ALL);
  }
}
