import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId, type JsonObject, type TenantId } from '#libs/common';
import { columnsOf, result, rowsOf, SQL_NOW, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import type { PrincipalReference } from '#libs/tenancy';
import { CLAIM_TASK, OTHERS_WAIT } from './claim-task.js';
import type { TaskDefinition } from './task-definition.js';
import { endOf, type TryEnd } from './task-ends.js';
import { TaskEntity } from './task.entity.js';
import type { HeldTask } from './task-leases.repository.js';
import { FIND_LATEST_COMPLETED_VIEW, FIND_VIEW, LIST_OPEN_VIEWS, type TaskView } from './task-view.js';

/** A task that this process has claimed. */
export interface ClaimedTask extends HeldTask {
  readonly tenantId: TenantId;
  readonly payload: JsonObject;
  readonly principal: PrincipalReference | null;
  readonly progress: JsonObject;
  /** Number of times that the task was started, including this one. */
  readonly tries: number;
  readonly requestId: string | null;
}

/** A task to create. */
export interface PromisedTask {
  readonly kind: string;
  readonly tenantId: TenantId;
  readonly payload: JsonObject;
  readonly principal: PrincipalReference | null;
  readonly requestId: string;
  readonly subject: string | null;
  readonly notBefore: Date | null;
  /** Creates no task while one of this kind, tenant and subject waits that may start as early. */
  readonly once: boolean;
}

/** Number of tasks of a kind in each state, and the waiting time of the oldest one that waits for a worker. */
export interface TaskCount {
  readonly kind: string;
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly failed: number;
  readonly oldestSeconds: number;
  /** Of those that wait or are delayed. */
  readonly oldestOpenSeconds: number;
}

const ID = columnsOf(TaskEntity, 'id');
/** Its row lock keeps the waiting task from being begun before the transaction commits that relies on it. */
const FIND_WAITING = statement(
  ID,
  `SELECT id FROM tasks
   WHERE kind = $1 AND subject = $2 AND tenant_id = $3 AND status = 'open' AND lease_owner IS NULL AND cancel_requested_at IS NULL
     AND (not_before IS NULL OR not_before <= coalesce($4::timestamptz, ${SQL_NOW}))
   LIMIT 1 FOR SHARE SKIP LOCKED`,
);
const PROMISE = statement(
  { mayBegin: result.boolean },
  `INSERT INTO tasks (id, tenant_id, kind, subject, payload, principal, request_id, not_before)
   VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8::timestamptz > ${SQL_NOW} THEN $8::timestamptz END)
   RETURNING not_before IS NULL AS "mayBegin"`,
);
const LOCK_KIND = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 7))`,
);
const PROMISE_REGULAR = statement(
  ID,
  `INSERT INTO tasks (id, tenant_id, kind, request_id) SELECT $1, $2, $3, $4
   WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE kind = $3 AND (status = 'open' OR created_at > now() - make_interval(secs => $5)))
   RETURNING id`,
);
const REPORT = statement(
  ID,
  `UPDATE tasks SET progress = $3, updated_at = now()
   WHERE id = $1 AND fencing_token = $2 AND lease_owner IS NOT NULL RETURNING id`,
);
const CANCEL = statement(
  ID,
  `UPDATE tasks SET cancel_requested_at = coalesce(cancel_requested_at, now()), updated_at = now(), not_before = NULL,
     status = CASE WHEN lease_owner IS NULL THEN 'cancelled' ELSE 'open' END,
     ended_at = CASE WHEN lease_owner IS NULL THEN now() END
   WHERE id = $1 AND tenant_id = $2 AND status = 'open' RETURNING id`,
);
const COUNT = statement(
  {
    ...columnsOf(TaskEntity, 'kind'),
    waiting: result.integer,
    delayed: result.integer,
    running: result.integer,
    failed: result.integer,
    oldestSeconds: result.float,
    oldestOpenSeconds: result.float,
  },
  `WITH seen AS (SELECT kind, status, queued_at, status = 'open' AND lease_expires_at > ${SQL_NOW} AS running,
       status = 'open' AND not_before > ${SQL_NOW} AS delayed FROM tasks WHERE status IN ('open', 'failed')),
     sorted AS (SELECT *, status = 'open' AND running IS NOT TRUE AND delayed IS NOT TRUE AS waiting FROM seen)
   SELECT kind, count(*) FILTER (WHERE waiting)::int AS waiting, count(*) FILTER (WHERE running IS NOT TRUE AND delayed)::int AS delayed,
     count(*) FILTER (WHERE running)::int AS running, count(*) FILTER (WHERE status = 'failed')::int AS failed,
     coalesce(extract(epoch FROM now() - min(queued_at) FILTER (WHERE waiting)), 0)::float8 AS "oldestSeconds",
     coalesce(extract(epoch FROM now() - min(queued_at) FILTER (WHERE waiting OR (running IS NOT TRUE AND delayed))), 0)::float8 AS "oldestOpenSeconds"
   FROM sorted GROUP BY kind ORDER BY kind`,
);
const FORGET_ENDED = statement(
  ID,
  `DELETE FROM tasks WHERE id IN (
     SELECT t.id FROM tasks t WHERE t.ended_at < now() - make_interval(days => $1)
       AND EXISTS (SELECT 1 FROM tasks later WHERE later.kind = t.kind AND later.ended_at > t.ended_at)
     ORDER BY t.ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** The table `tasks`, for the kinds that are run here. */
@Injectable()
export class TasksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** As the system role. Resolves to the id of the task that does the work, and whether it is a new one that may begin at once. */
  async promise(
    manager: EntityManager,
    task: PromisedTask,
  ): Promise<{ readonly id: string; readonly mayBegin: boolean }> {
    if (task.once) {
      const [waiting] = await rowsOf(manager, FIND_WAITING, [task.kind, task.subject, task.tenantId, task.notBefore]);
      if (waiting !== undefined) return { id: waiting.id, mayBegin: false };
    }
    const id = newId();
    const [promised] = await rowsOf(manager, PROMISE, [
      id,
      task.tenantId,
      task.kind,
      task.subject,
      JSON.stringify(task.payload),
      task.principal === null ? null : JSON.stringify(task.principal),
      task.requestId,
      task.notBefore,
    ]);
    return { id, mayBegin: promised?.mayBegin === true };
  }

  /** Promises a task of the service's own, unless one of its kind was promised within `seconds`; undefined then. */
  async promiseRegular(kind: string, tenantId: TenantId, seconds: number): Promise<string | undefined> {
    const rows = await this.unitOfWork.runAsSystem(async (manager) => {
      await rowsOf(manager, LOCK_KIND, [kind]);
      return rowsOf(manager, PROMISE_REGULAR, [newId(), tenantId, kind, newId(), seconds]);
    });
    return rows[0]?.id;
  }

  /** The next task in fair order; undefined when none may be taken, null when another transaction holds it in this moment. */
  async claim(
    { kind, onePerTenant, concurrency }: Pick<TaskDefinition, 'kind' | 'onePerTenant' | 'concurrency'>,
    worker: string,
    leaseSeconds: number,
  ): Promise<ClaimedTask | null | undefined> {
    const [row] = await systemRowsOf(this.unitOfWork, CLAIM_TASK, [
      kind,
      worker,
      leaseSeconds,
      onePerTenant,
      Math.max(1, concurrency - 1),
    ]);
    if (row === undefined) return undefined;
    return row.id === null ? null : (row as ClaimedTask);
  }

  /** Whether another tenant has a task of the kind that could be begun. */
  async othersWait(kind: string, tenantId: TenantId): Promise<boolean> {
    const [row] = await systemRowsOf(this.unitOfWork, OTHERS_WAIT, [kind, tenantId]);
    return row?.others === true;
  }

  /** Stores progress; false when another worker holds the lease. */
  async report({ id, token }: HeldTask, progress: JsonObject): Promise<boolean> {
    const rows = await systemRowsOf(this.unitOfWork, REPORT, [id, token, JSON.stringify(progress)], { durable: false });
    return rows.length > 0;
  }

  /** Ends a try; false when another worker holds the lease. */
  async end({ id, token }: HeldTask, end: TryEnd): Promise<boolean> {
    const rows = await systemRowsOf(this.unitOfWork, ...endOf({ id, token }, end));
    return rows.length > 0;
  }

  /** A waiting task is cancelled, a running one told to end; false when there is none that is open. As the system role. */
  async cancel(manager: EntityManager, tenantId: TenantId, id: string): Promise<boolean> {
    const rows = await rowsOf(manager, CANCEL, [id, tenantId]);
    return rows.length > 0;
  }

  /** As the system role; of any tenant when none is named. */
  async find(manager: EntityManager, id: string, tenantId: TenantId | null): Promise<TaskView | undefined> {
    const [row] = await rowsOf(manager, FIND_VIEW, [id, tenantId]);
    return row;
  }

  /** Open tasks of a kind and tenant, oldest first. As the system role. */
  async listOpen(manager: EntityManager, tenantId: TenantId, kind: string, limit: number): Promise<TaskView[]> {
    return rowsOf(manager, LIST_OPEN_VIEWS, [tenantId, kind, limit]);
  }

  async findLatestCompleted(kind: string): Promise<TaskView | undefined> {
    const [row] = await systemRowsOf(this.unitOfWork, FIND_LATEST_COMPLETED_VIEW, [kind]);
    return row;
  }

  async count(): Promise<TaskCount[]> {
    return systemRowsOf(this.unitOfWork, COUNT);
  }

  /** Removes up to `limit` tasks that ended more than `days` ago; the most recently completed task of each kind stays. Resolves to their number. */
  async forgetEnded(days: number, limit: number): Promise<number> {
    const rows = await systemRowsOf(this.unitOfWork, FORGET_ENDED, [days, limit]);
    return rows.length;
  }
}
