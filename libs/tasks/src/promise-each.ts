import type { EntityManager } from 'typeorm';
import { newId } from '#libs/common';
import { result, rowsOf, SQL_NOW, statement } from '#libs/database';
import type { PromisedTask } from './tasks.repository.js';

/** The row locks keep waiting tasks from being begun before the transaction commits that relies on them. */
const FIND_ALL_WAITING = statement(
  { subject: result.orNull(result.text()) },
  `SELECT subject FROM tasks
   WHERE kind = $1 AND subject = ANY ($2::text[]) AND tenant_id = $3 AND status = 'open' AND lease_owner IS NULL
     AND cancel_requested_at IS NULL AND (not_before IS NULL OR not_before <= ${SQL_NOW})
   FOR SHARE SKIP LOCKED`,
);
const PROMISE_ALL = statement(
  {},
  `INSERT INTO tasks (id, tenant_id, kind, subject, payload, principal, request_id)
   SELECT t.id, $1, $2, t.subject, t.payload, $3, $4 FROM unnest($5::uuid[], $6::text[], $7::jsonb[]) AS t(id, subject, payload)`,
);
/**
 * Promises tasks of one kind and tenant that may begin at once, each for a subject of which none waits that may, in the transaction of
 * `manager`, which must act as the system role. Resolves to how many are new.
 */
export async function promiseEach(manager: EntityManager, tasks: readonly PromisedTask[]): Promise<number> {
  const [first] = tasks;
  if (first === undefined) return 0;
  const { kind, tenantId, principal, requestId } = first;
  const subjects = tasks.map(({ subject }) => subject);
  const waiting = await rowsOf(manager, FIND_ALL_WAITING, [kind, subjects, tenantId]);
  const known = new Set<string | null>(waiting.map(({ subject }) => subject));
  const missing = tasks.filter(({ subject }) => !known.has(subject));
  if (missing.length === 0) return 0;
  await rowsOf(manager, PROMISE_ALL, [
    tenantId,
    kind,
    principal === null ? null : JSON.stringify(principal),
    requestId,
    missing.map(() => newId()),
    missing.map(({ subject }) => subject),
    missing.map(({ payload }) => JSON.stringify(payload)),
  ]);
  return missing.length;
}
