import type { EntityManager } from 'typeorm';
import type { GivenBack } from './attempt.js';

/** Ends the tasks of documents that need nothing any more, in the order of ids that every writer of several keeps. */
export async function dropTasks(manager: EntityManager, documentIds: readonly string[]): Promise<void> {
  await manager.query(
    `DELETE FROM ingestion_tasks WHERE document_id IN (
       SELECT document_id FROM ingestion_tasks WHERE document_id = ANY($1::uuid[]) ORDER BY document_id FOR UPDATE)`,
    [documentIds],
  );
}

/** Frees leases, so that other workers need not wait for their end; a task that waits cannot be taken before its time. */
export async function giveBackTasks(manager: EntityManager, items: readonly GivenBack[]): Promise<void> {
  if (items.length === 0) return;
  await manager.query(
    `WITH given AS (
       SELECT t.document_id, g.wait_ms, g.uncounted, g.alone
       FROM unnest($1::uuid[], $2::bigint[], $3::float8[], $4::int[], $5::boolean[]) AS g(id, token, wait_ms, uncounted, alone)
       JOIN ingestion_tasks t ON t.document_id = g.id AND t.fencing_token = g.token
       ORDER BY t.document_id FOR UPDATE OF t)
     UPDATE ingestion_tasks t SET lease_owner = NULL, lease_expires_at = NULL, enqueued_at = now(),
       tries = greatest(0, t.tries - g.uncounted), alone = t.alone OR g.alone,
       not_before = now() + make_interval(secs => g.wait_ms / 1000)
     FROM given g WHERE t.document_id = g.document_id`,
    [
      items.map(({ attempt }) => attempt.documentId),
      items.map(({ attempt }) => attempt.token),
      items.map(({ wait }) => wait?.ms ?? null),
      items.map(({ counts }) => (counts ? 0 : 1)),
      items.map(({ alone }) => alone),
    ],
  );
}
