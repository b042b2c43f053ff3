import { Injectable } from '@nestjs/common';
import { result, rowsOf, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { EventSubscriptions } from './event-subscriptions.js';
import { EventTime } from './event-time.js';
import { NOW } from './lane-writes.js';

/** Events that one statement hands out. */
const BATCH = 500;
/** Advisory lock of handing out: one process at a time, so that events of one subject are handed out in their order. */
const HANDING_OUT = 7_061_831;

/** A subscription that its subscriber's processes have not announced for so long is none any more. */
const DROPPED_AFTER_SECONDS = 600;

const ANNOUNCE = statement(
  {},
  `WITH mine AS (SELECT * FROM unnest($2::text[], $3::text[]) AS m(subscriber, type)),
   dropped AS (
     DELETE FROM event_subscriptions s WHERE s.seen_at < ${NOW} - make_interval(secs => $4)
       AND s.subscriber IN (SELECT subscriber FROM mine) AND (s.subscriber, s.type) NOT IN (SELECT * FROM mine))
   INSERT INTO event_subscriptions (subscriber, type, seen_at) SELECT subscriber, type, ${NOW} FROM mine ORDER BY 1, 2
   ON CONFLICT (subscriber, type) DO UPDATE SET seen_at = excluded.seen_at`,
);
const HAS_SOMETHING = statement({ some: result.boolean }, `SELECT EXISTS (SELECT FROM domain_events) AS some`);
const TRY_LOCK = statement({ mine: result.boolean }, `SELECT pg_try_advisory_xact_lock($1) AS mine`);
const HAND_OUT = statement(
  { taken: result.integer, lanes: result.integer },
  `WITH taken AS (
     DELETE FROM domain_events WHERE seq IN (SELECT seq FROM domain_events ORDER BY seq LIMIT ${BATCH}) RETURNING *),
   handed AS (
     INSERT INTO event_deliveries (subscriber, subject, seq, id, tenant_id, type, version, payload, request_id, occurred_at)
     SELECT s.subscriber, t.subject, t.seq, t.id, t.tenant_id, t.type, t.version, t.payload, t.request_id, t.occurred_at
     FROM taken t JOIN event_subscriptions s ON s.type = t.type RETURNING subscriber, subject, tenant_id),
   lanes AS (
     INSERT INTO event_lanes (subscriber, subject, tenant_id, due_at)
     SELECT DISTINCT subscriber, subject, tenant_id, ${NOW} FROM handed ORDER BY subscriber, subject
     -- Locks a lane that is there: a transaction that ends it at the same time sees its new deliveries, or is waited for.
     ON CONFLICT (subscriber, subject) DO UPDATE SET due_at = event_lanes.due_at RETURNING 1)
   SELECT (SELECT count(*) FROM taken)::int AS taken, (SELECT count(*) FROM lanes)::int AS lanes`,
);

/** Hands out published events: one delivery for each subscriber; events without subscribers are removed. */
@Injectable()
export class EventFanOut {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly subscriptions: EventSubscriptions,
    private readonly time: EventTime,
  ) {}

  /**
   * Stores the subscriptions of this process in the database. Every process that hands out events reads them there, so that a subscriber misses
   * nothing while processes of two versions run.
   */
  async announce(): Promise<void> {
    const all = this.subscriptions.all;
    if (all.length === 0) return;
    await systemRowsOf(this.unitOfWork, ANNOUNCE, [
      this.time.now(),
      all.map(({ subscriber }) => subscriber),
      all.map(({ type }) => type),
      DROPPED_AFTER_SECONDS,
    ]);
  }

  /** Hands out all published events. Resolves to whether there were any. */
  async handOut(): Promise<boolean> {
    if (!(await this.hasSomething())) return false;
    for (let taken = BATCH; taken === BATCH;) taken = await this.handOutBatch();
    return true;
  }

  private async hasSomething(): Promise<boolean> {
    const [row] = await systemRowsOf(this.unitOfWork, HAS_SOMETHING);
    return row?.some === true;
  }

  /** What is lost with a crash of the database is there as it was before, so nothing waits for the disk. */
  private async handOutBatch(): Promise<number> {
    return this.unitOfWork.runAsSystem(
      async (manager) => {
        const [lock] = await rowsOf(manager, TRY_LOCK, [HANDING_OUT]);
        if (lock?.mine !== true) return 0;
        const [row] = await rowsOf(manager, HAND_OUT, [this.time.now()]);
        return row?.taken ?? 0;
      },
      { durable: false },
    );
  }
}
