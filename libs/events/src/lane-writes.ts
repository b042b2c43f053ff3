import type { EntityManager } from 'typeorm';
import { columnsOf, result, rowsOf, SQL_NOW, statement } from '#libs/database';
import type { LaneResult } from './event-lane.js';
import { EventDeliveryEntity } from './event.entity.js';

/** The time that a statement follows: its first parameter, or the database's. */
export const NOW = `coalesce($1::timestamptz(3), ${SQL_NOW})`;

/** Lanes that are looked at for each one that is wanted of a tenant: others may hold the first ones. */
const LOOKED_AT = 2;

type LaneState = 'fresh' | 'failing';

const STATES: Readonly<Record<LaneState, string>> = {
  fresh: 'failing_since IS NULL',
  failing: 'failing_since IS NOT NULL',
};

/** Tenants with lanes of a subscriber ($2), by one look at the index each: part of a statement `WITH RECURSIVE`. */
function tenantsWith(state: LaneState): string {
  const first = (further: string): string =>
    `SELECT tenant_id FROM event_lanes WHERE subscriber = $2 AND ${STATES[state]} ${further} ORDER BY tenant_id LIMIT 1`;
  return `${state}_tenants AS (
    (${first('')}) UNION ALL
    SELECT (${first('AND tenant_id > before.tenant_id')}) FROM ${state}_tenants before WHERE before.tenant_id IS NOT NULL)`;
}

/** The due lanes of each tenant, each with its place among them, the oldest first; up to `$3`, and some more, of each. */
function placesOf(state: LaneState): string {
  return `${state}_places AS (
    SELECT own.subject, own.due_at, own.place FROM ${state}_tenants t CROSS JOIN LATERAL (
      SELECT subject, due_at, row_number() OVER (ORDER BY due_at) AS place FROM event_lanes
      WHERE subscriber = $2 AND tenant_id = t.tenant_id AND ${STATES[state]} AND due_at <= ${NOW}
      ORDER BY due_at LIMIT ${LOOKED_AT} * $3::int) own
    WHERE t.tenant_id IS NOT NULL)`;
}

/** This many of them, locked: the first one of each tenant, then the second one of each. */
function lockedOf(state: LaneState, limit: string): string {
  return `${state} AS (
    SELECT l.subject, p.place FROM ${state}_places p
    JOIN event_lanes l ON l.subscriber = $2 AND l.subject = p.subject AND l.${STATES[state]} AND l.due_at <= ${NOW}
    ORDER BY p.place, p.due_at LIMIT ${limit} FOR UPDATE OF l SKIP LOCKED)`;
}

/**
 * Due lanes of a subscriber ($2), locked, `$3` of them, of which `$4` fail at most; tenants take turns, and what others work on is
 * passed over. Part of a statement `WITH RECURSIVE`.
 */
export const DUE_LANES = `${tenantsWith('failing')}, ${tenantsWith('fresh')}, ${placesOf('failing')}, ${placesOf('fresh')},
  ${lockedOf('failing', '$4::int')},
  ${lockedOf('fresh', '$3::int - (SELECT count(*) FROM failing)')},
  due AS (SELECT subject, place FROM failing UNION ALL SELECT subject, place FROM fresh)`;

/** Whether something of a subscriber ($2) is due. */
export const IS_DUE = statement(
  { due: result.boolean },
  `WITH RECURSIVE ${tenantsWith('failing')}, ${tenantsWith('fresh')}
   SELECT EXISTS (${dueOf('fresh')}) OR EXISTS (${dueOf('failing')}) AS due`,
);

function dueOf(state: LaneState): string {
  return `SELECT FROM ${state}_tenants t CROSS JOIN LATERAL (
    SELECT FROM event_lanes WHERE subscriber = $2 AND tenant_id = t.tenant_id AND ${STATES[state]} AND due_at <= ${NOW} LIMIT 1) one`;
}

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
