import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf, result, rowsOf, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import type { ClaimedLane, LaneResult } from './event-lane.js';
import { EventRules } from './event-rules.js';
import { EventTime } from './event-time.js';
import { EventLaneEntity } from './event.entity.js';
import {
  DUE_LANES,
  IS_DUE,
  lockOwned,
  NEXT_DELIVERIES,
  NOW,
  parkHeads,
  releaseLanes,
  removeDelivered,
} from './lane-writes.js';

const LONGEST_PAUSE_SECONDS = 900;
/** Time after which lanes of a subscriber that processes no event are tried again. */
const PUT_OFF_SECONDS = 60;

const CLAIM = statement(
  { ...columnsOf(EventLaneEntity, 'subject', 'token', 'tenant_id'), place: result.integer },
  `WITH RECURSIVE ${DUE_LANES}
   UPDATE event_lanes l SET due_at = ${NOW} + make_interval(secs => $5), token = nextval('fencing_tokens')
   FROM due WHERE l.subscriber = $2 AND l.subject = due.subject RETURNING l.subject, l.token, l.tenant_id, due.place::int AS place`,
);
const EXTEND = statement(
  columnsOf(EventLaneEntity, 'token'),
  `UPDATE event_lanes l SET due_at = ${NOW} + make_interval(secs => $5)
   FROM unnest($3::uuid[], $4::bigint[]) AS mine(subject, token)
   WHERE l.subscriber = $2 AND l.subject = mine.subject AND l.token = mine.token RETURNING l.token`,
);
/** Due lanes of tenants ($4), locked; one look at an index for each tenant. */
function dueOfTenants(state: string, limit: string): string {
  return `SELECT own.subject FROM unnest($4::uuid[]) AS t(id) CROSS JOIN LATERAL (
    SELECT subject FROM event_lanes WHERE subscriber = $2 AND tenant_id = t.id AND ${state} AND due_at <= ${NOW}
    ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) own LIMIT ${limit}`;
}
const FAILED_LANE = { ...columnsOf(EventLaneEntity, 'subject'), late: result.boolean };
const PUT_OFF = statement(
  FAILED_LANE,
  `WITH failing AS (${dueOfTenants('failing_since IS NOT NULL', '$3::int / 2')}),
   fresh AS (${dueOfTenants('failing_since IS NULL', '$3::int - (SELECT count(*) FROM failing)')}),
   due AS (SELECT subject FROM failing UNION ALL SELECT subject FROM fresh)
   UPDATE event_lanes l SET failing_since = coalesce(l.failing_since, ${NOW}), token = NULL,
     due_at = ${NOW} + make_interval(secs => $5 * (1 + random()))
   FROM due WHERE l.subscriber = $2 AND l.subject = due.subject
   RETURNING l.subject, l.failing_since <= ${NOW} - make_interval(secs => $6) AS late`,
);
const FREE_ALL = statement({}, `UPDATE event_lanes SET due_at = ${NOW}, token = NULL WHERE token IS NOT NULL`);
// What was delivered before it in the same turn shows that it is another delivery than the one that failed before.
const NOTE_FAILURES = statement(
  FAILED_LANE,
  `UPDATE event_lanes l SET failures = 1 + CASE WHEN f.is_next THEN 0 ELSE l.failures END,
     failing_since = CASE WHEN f.is_next THEN ${NOW} ELSE coalesce(l.failing_since, ${NOW}) END, token = NULL,
     due_at = ${NOW} + make_interval(secs => (0.75 + random() / 2)
       * least($5, 2 ^ least(20, CASE WHEN f.is_next THEN 0 ELSE l.failures END)))
   FROM unnest($3::uuid[], $4::boolean[]) AS f(subject, is_next)
   WHERE l.subscriber = $2 AND l.subject = f.subject
   RETURNING l.subject, l.failing_since <= ${NOW} - make_interval(secs => $6) AS late`,
);

/** Reads and writes lanes of deliveries: claimed under a lease, settled under its token. All statements use indexes of due lanes. */
@Injectable()
export class EventLanesRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly time: EventTime,
    private readonly rules: EventRules,
  ) {}

  /** Those of the subscribers for whom something is due. */
  async listDue(subscribers: readonly string[]): Promise<string[]> {
    const due: string[] = [];
    for (const subscriber of subscribers) {
      const [row] = await systemRowsOf(this.unitOfWork, IS_DUE, [this.time.now(), subscriber]);
      if (row?.due === true) due.push(subscriber);
    }
    return due;
  }

  /**
   * Claims up to `limit` lanes, at most half of them failing ones, so that these do not hold up the others. Tenants take turns: the first lane of
   * each comes before the second lane of any.
   */
  async claim(subscriber: string, limit: number, deliveriesEach: number): Promise<ClaimedLane[]> {
    return this.unitOfWork.runAsSystem(
      async (manager) => {
        const claimed = await rowsOf(manager, CLAIM, [
          this.time.now(),
          subscriber,
          limit,
          Math.floor(limit / 2),
          this.rules.leaseSeconds,
        ]);
        // The statement has given each a token.
        const lanes = claimed
          .toSorted((a, b) => a.place - b.place)
          .map(({ subject, token, tenant_id: tenantId }) => ({ subject, tenantId, token: token! }));
        const rows = await rowsOf(manager, NEXT_DELIVERIES, [
          subscriber,
          lanes.map(({ subject }) => subject),
          deliveriesEach,
        ]);
        const bySubject = Map.groupBy(rows, ({ subject }) => subject);
        return lanes.map((lane) => ({ ...lane, deliveries: bySubject.get(lane.subject) ?? [] }));
      },
      { durable: false },
    );
  }

  /** Extends the leases of lanes in work. Resolves to the tokens that still hold. */
  async extend(subscriber: string, lanes: readonly ClaimedLane[]): Promise<ReadonlySet<string>> {
    const rows = await systemRowsOf(
      this.unitOfWork,
      EXTEND,
      [this.time.now(), subscriber, lanes.map((l) => l.subject), lanes.map((l) => l.token), this.rules.leaseSeconds],
      { durable: false },
    );
    return new Set(rows.flatMap(({ token }) => token ?? []));
  }

  /** Records the outcomes of lanes, except those that another process has taken over meanwhile. Resolves to the number of parked events. */
  async settle(subscriber: string, results: readonly LaneResult[]): Promise<number> {
    return this.unitOfWork.runAsSystem(
      async (manager) => {
        const owned = await lockOwned(manager, subscriber, results);
        const mine = results.filter(({ lane }) => owned.has(lane.token));
        await removeDelivered(manager, subscriber, mine);
        const failed = mine.flatMap((one) => (one.failed === null ? [] : [{ ...one, failed: one.failed }]));
        const parked = await this.noteFailures(manager, subscriber, failed);
        const rested = mine.filter(({ failed: failure, lane }) => failure === null || parked.has(lane.subject));
        await releaseLanes(
          manager,
          this.time.now(),
          subscriber,
          rested.map(({ lane }) => lane.subject),
        );
        return parked.size;
      },
      { durable: false },
    );
  }

  /**
   * Postpones due lanes of tenants without a try, because the subscriber has failed for all their other lanes; their first deliveries count as
   * failed from now on. Resolves to the number of parked events.
   */
  async putOff(subscriber: string, tenantIds: readonly string[], limit: number, reason: string): Promise<number> {
    return this.unitOfWork.runAsSystem(
      async (manager) => {
        const lanes = await rowsOf(manager, PUT_OFF, [
          this.time.now(),
          subscriber,
          limit,
          tenantIds,
          PUT_OFF_SECONDS,
          this.rules.parkAfterSeconds,
        ]);
        const late = lanes.filter((lane) => lane.late).map(({ subject }) => subject);
        if (late.length === 0) return 0;
        const heads = await rowsOf(manager, NEXT_DELIVERIES, [subscriber, late, 1]);
        await parkHeads(
          manager,
          this.time.now(),
          subscriber,
          heads.map(({ subject, seq }) => ({ subject, seq, reason })),
        );
        await releaseLanes(manager, this.time.now(), subscriber, late);
        return late.length;
      },
      { durable: false },
    );
  }

  /** Frees lanes that an earlier process worked on: right only for a process that knows itself to be the only worker. */
  async freeAll(): Promise<void> {
    await systemRowsOf(this.unitOfWork, FREE_ALL, [this.time.now()]);
  }

  /** The first deliveries of lanes come again later, or are parked. Resolves to the subjects of the parked ones. */
  private async noteFailures(
    manager: EntityManager,
    subscriber: string,
    failed: readonly (LaneResult & { readonly failed: NonNullable<LaneResult['failed']> })[],
  ): Promise<ReadonlySet<string>> {
    if (failed.length === 0) return new Set();
    const rows = await rowsOf(manager, NOTE_FAILURES, [
      this.time.now(),
      subscriber,
      failed.map(({ lane }) => lane.subject),
      failed.map(({ delivered }) => delivered.length > 0),
      LONGEST_PAUSE_SECONDS,
      this.rules.parkAfterSeconds,
    ]);
    const late = new Set(rows.filter((row) => row.late).map(({ subject }) => subject));
    const parked = failed.filter(({ lane }) => late.has(lane.subject));
    await parkHeads(
      manager,
      this.time.now(),
      subscriber,
      parked.map(({ lane, failed: { seq, reason } }) => ({ subject: lane.subject, seq, reason })),
    );
    return late;
  }
}
