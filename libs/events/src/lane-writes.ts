import type { EntityManager } from 'typeorm';
import { columnsOf, result, rowsOf, SQL_NOW, statement } from '#libs/database';
import type { LaneResult } from './event-lane.js';
import { EventDeliveryEntity } from './event.entity.js';

/** The time that a statement goes by: its first parameter, or the database's. */
export const NOW = `coalesce($1::timestamptz(3), ${SQL_NOW})`;

/** Due lanes of a subscriber ($2), locked, `$3` of them, of which `$4` fail at most; what others work on is passed over. */
export const DUE_LANES = `failing AS (
    SELECT subject FROM event_lanes WHERE subscriber = $2 AND failing_since IS NOT NULL AND due_at <= ${NOW}
    ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED),
  fresh AS (
    SELECT subject FROM event_lanes WHERE subscriber = $2 AND failing_since IS NULL AND due_at <= ${NOW}
    ORDER BY due_at LIMIT $3 - (SELECT count(*) FROM failing) FOR UPDATE SKIP LOCKED),
  due AS (SELECT subject FROM failing UNION ALL SELECT subject FROM fresh)`;

/** The next `$3` deliveries of each lane. A statement of its own: it has to see what those did who had the lanes before. */
export const NEXT_DELIVERIES = statement(
  columnsOf(
    EventDeliveryEntity,
    'subscriber',
    'subject',
    'seq',
    'id',
    'tenant_id',
    'type',
    'version',
    'payload',
    'request_id',
    'occurred_at',
  ),
  `SELECT d.* FROM unnest($2::uuid[]) AS l(subject) CROSS JOIN LATERAL (
    SELECT * FROM event_deliveries WHERE subscriber = $1 AND subject = l.subject ORDER BY seq LIMIT $3) d
  ORDER BY d.subject, d.seq`,
);

const LOCK_OWNED = statement(
  { token: result.orNull(result.bigint) },
  `SELECT l.token FROM event_lanes l JOIN unnest($2::uuid[], $3::bigint[]) AS mine(subject, token)
     ON l.subject = mine.subject AND l.token = mine.token
   WHERE l.subscriber = $1 ORDER BY l.subject FOR UPDATE OF l`,
);
const REMOVE_DELIVERED = statement(
  {},
  `DELETE FROM event_deliveries d USING unnest($2::uuid[], $3::bigint[]) AS done(subject, seq)
   WHERE d.subscriber = $1 AND d.subject = done.subject AND d.seq = done.seq`,
);
const PARK_HEADS = statement(
  {},
  `WITH head AS (SELECT * FROM unnest($3::uuid[], $4::bigint[], $5::text[]) AS h(subject, seq, reason)),
   gone AS (
     DELETE FROM event_deliveries d USING head h
     WHERE d.subscriber = $2 AND d.subject = h.subject AND d.seq = h.seq RETURNING d.*, h.reason)
   INSERT INTO parked_events (subscriber, seq, subject, id, tenant_id, type, version, payload, request_id, occurred_at,
     failures, reason, parked_at)
   SELECT g.subscriber, g.seq, g.subject, g.id, g.tenant_id, g.type, g.version, g.payload, g.request_id, g.occurred_at,
     l.failures, g.reason, ${NOW}
   FROM gone g JOIN event_lanes l ON l.subscriber = g.subscriber AND l.subject = g.subject
   ON CONFLICT (subscriber, seq) DO NOTHING`,
);
const RELEASE_LANES = statement(
  {},
  `WITH mine AS (
     SELECT s.subject, EXISTS (SELECT FROM event_deliveries d WHERE d.subscriber = $2 AND d.subject = s.subject) AS goes_on
     FROM unnest($3::uuid[]) AS s(subject)),
   ended AS (
     DELETE FROM event_lanes l USING mine WHERE l.subscriber = $2 AND l.subject = mine.subject AND NOT mine.goes_on)
   UPDATE event_lanes l SET due_at = ${NOW}, token = NULL, failures = 0, failing_since = NULL
   FROM mine WHERE l.subscriber = $2 AND l.subject = mine.subject AND mine.goes_on`,
);

/** Locks the lanes that are still this process's. Resolves to their tokens. */
export async function lockOwned(
  manager: EntityManager,
  subscriber: string,
  results: readonly LaneResult[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf(manager, LOCK_OWNED, [
    subscriber,
    results.map(({ lane }) => lane.subject),
    results.map(({ lane }) => lane.token),
  ]);
  return new Set(rows.flatMap(({ token }) => token ?? []));
}

export async function removeDelivered(
  manager: EntityManager,
  subscriber: string,
  results: readonly LaneResult[],
): Promise<void> {
  const delivered = results.flatMap(({ lane, delivered: seqs }) => seqs.map((seq) => ({ subject: lane.subject, seq })));
  if (delivered.length === 0) return;
  await rowsOf(manager, REMOVE_DELIVERED, [
    subscriber,
    delivered.map(({ subject }) => subject),
    delivered.map(({ seq }) => seq),
  ]);
}

/** Parks the first deliveries of lanes, with the failures of their lanes. */
export async function parkHeads(
  manager: EntityManager,
  now: Date | null,
  subscriber: string,
  heads: readonly { readonly subject: string; readonly seq: string; readonly reason: string }[],
): Promise<void> {
  if (heads.length === 0) return;
  await rowsOf(manager, PARK_HEADS, [
    now,
    subscriber,
    heads.map((h) => h.subject),
    heads.map((h) => h.seq),
    heads.map((h) => h.reason),
  ]);
}

/** Ends lanes that have nothing left; the others go on with a clean record. Their rows are locked already. */
export async function releaseLanes(
  manager: EntityManager,
  now: Date | null,
  subscriber: string,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await rowsOf(manager, RELEASE_LANES, [now, subscriber, subjects]);
}
