import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/common';
import { rowsOf, SQL_NOW, statement } from '#libs/database';

/** A task of a kind that is claimed by a statement of its own; a task with the same id is begun again. */
export interface NewTask {
  readonly id: string;
  /** Tasks of one group may be taken together. */
  readonly groupId: string;
  readonly sizeBytes: number | string;
  /** Lower goes first. */
  readonly priority: number;
  readonly payload: JsonObject;
  readonly requestId: string;
}

/** A task that a worker gives back for any free worker. */
export interface GivenBackTask {
  readonly id: string;
  readonly token: string;
  /** Milliseconds for which no worker takes it; null: none. */
  readonly waitMs: number | null;
  /** What the task waits for; null: its turn. */
  readonly waitingReason: string | null;
  /** Whether this try counts; false when the service stops or a dependency asked for a pause. */
  readonly counts: boolean;
  /** From now on it is not taken together with others. */
  readonly alone: boolean;
}

const PUT = statement(
  {},
  `INSERT INTO tasks (id, tenant_id, kind, group_id, size_bytes, priority, payload, request_id)
   SELECT t.id, $1, $2, t.group_id, t.size_bytes, t.priority, t.payload, t.request_id
   FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::smallint[], $7::jsonb[], $8::text[])
     AS t(id, group_id, size_bytes, priority, payload, request_id)
   ON CONFLICT (id) DO UPDATE SET group_id = excluded.group_id, size_bytes = excluded.size_bytes, priority = excluded.priority,
     payload = excluded.payload, waiting_reason = NULL, tries = 0, queued_at = now(), not_before = NULL, lease_owner = NULL, lease_expires_at = NULL,
     request_id = excluded.request_id`,
);
const REMOVE = statement(
  {},
  `DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
);
const GIVE_BACK = statement(
  {},
  `WITH given AS (
     SELECT t.id, g.wait_ms, g.uncounted, g.alone, g.reason
     FROM unnest($1::uuid[], $2::bigint[], $3::float8[], $4::int[], $5::boolean[], $6::text[])
       AS g(id, token, wait_ms, uncounted, alone, reason)
     JOIN tasks t ON t.id = g.id AND t.fencing_token = g.token
     ORDER BY t.id FOR UPDATE OF t)
   UPDATE tasks t SET lease_owner = NULL, lease_expires_at = NULL, tries = greatest(0, t.tries - g.uncounted),
     alone = t.alone OR g.alone, waiting_reason = g.reason, not_before = now() + make_interval(secs => g.wait_ms / 1000)
   FROM given g WHERE t.id = g.id`,
);

const WAKE = statement(
  {},
  `UPDATE tasks SET not_before = now() WHERE id IN (
     SELECT id FROM tasks WHERE tenant_id = $1 AND not_before > ${SQL_NOW} AND lease_owner IS NULL ORDER BY id FOR UPDATE SKIP LOCKED)`,
);

/** Lets all waiting tasks of a tenant be taken at once, in the transaction of `manager`, which must act as the system role. */
export async function wakeTasks(manager: EntityManager, tenantId: string): Promise<void> {
  await rowsOf(manager, WAKE, [tenantId]);
}

/** Creates tasks, or starts them again, in the transaction of `manager`, which must act as the system role. */
export async function putTasks(
  manager: EntityManager,
  kind: string,
  tenantId: string,
  tasks: readonly NewTask[],
): Promise<void> {
  await rowsOf(manager, PUT, [
    tenantId,
    kind,
    tasks.map(({ id }) => id),
    tasks.map(({ groupId }) => groupId),
    tasks.map(({ sizeBytes }) => sizeBytes),
    tasks.map(({ priority }) => priority),
    tasks.map(({ payload }) => JSON.stringify(payload)),
    tasks.map(({ requestId }) => requestId),
  ]);
}

/** Ends tasks that have nothing left to do, in the order of ids, which every writer of several tasks keeps. As the system role. */
export async function removeTasks(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await rowsOf(manager, REMOVE, [ids]);
}

/** Frees leases that are still held, so that other workers need not wait for their end. As the system role. */
export async function giveBackTasks(manager: EntityManager, items: readonly GivenBackTask[]): Promise<void> {
  if (items.length === 0) return;
  await rowsOf(manager, GIVE_BACK, [
    items.map(({ id }) => id),
    items.map(({ token }) => token),
    items.map(({ waitMs }) => waitMs),
    items.map(({ counts }) => (counts ? 0 : 1)),
    items.map(({ alone }) => alone),
    items.map(({ waitingReason }) => waitingReason),
  ]);
}
