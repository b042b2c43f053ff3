import { Injectable } from '@nestjs/common';
import { columnsOf, result, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { EventTime } from './event-time.js';
import { NOW } from './lane-writes.js';
import { ParkedEventEntity } from './event.entity.js';

/** Number of parked events of one kind for one subscriber. */
export interface ParkedCount {
  readonly subscriber: string;
  readonly type: string;
  readonly events: number;
  readonly oldest: Date;
}

/** A parked event without its payload. */
export interface ParkedEvent {
  readonly subscriber: string;
  readonly seq: string;
  readonly type: string;
  readonly tenant_id: string;
  readonly subject: string;
  readonly occurred_at: Date;
  readonly parked_at: Date;
  readonly failures: number;
  readonly reason: string;
}

/** Filter of parked events; an omitted field matches all. */
export interface ParkedSelection {
  readonly subscriber?: string;
  readonly seq?: string;
}

const COUNT = statement(
  { ...columnsOf(ParkedEventEntity, 'subscriber', 'type'), events: result.integer, oldest: result.time },
  `SELECT subscriber, type, count(*)::int AS events, min(parked_at) AS oldest FROM parked_events GROUP BY 1, 2 ORDER BY 1, 2`,
);
const LIST = statement(
  columnsOf(
    ParkedEventEntity,
    'subscriber',
    'seq',
    'type',
    'tenant_id',
    'subject',
    'occurred_at',
    'parked_at',
    'failures',
    'reason',
  ),
  `SELECT subscriber, seq, type, tenant_id, subject, occurred_at, parked_at, failures, reason FROM parked_events
   WHERE subscriber = coalesce($1, subscriber) AND seq = coalesce($2::bigint, seq) ORDER BY seq, subscriber LIMIT $3`,
);
const RESEND = statement(
  { sent: result.integer },
  `WITH gone AS (
     DELETE FROM parked_events WHERE (subscriber, seq) IN (
       SELECT subscriber, seq FROM parked_events
       WHERE subscriber = coalesce($2, subscriber) AND seq = coalesce($3::bigint, seq) ORDER BY seq, subscriber LIMIT $4)
     RETURNING *),
   back AS (
     INSERT INTO event_deliveries (subscriber, subject, seq, id, tenant_id, type, version, payload, request_id, occurred_at)
     SELECT subscriber, subject, seq, id, tenant_id, type, version, payload, request_id, occurred_at FROM gone
     ON CONFLICT (subscriber, subject, seq) DO NOTHING),
   lanes AS (
     INSERT INTO event_lanes (subscriber, subject, tenant_id, due_at)
     SELECT DISTINCT subscriber, subject, tenant_id, ${NOW} FROM gone ORDER BY subscriber, subject
     ON CONFLICT (subscriber, subject) DO UPDATE SET due_at = event_lanes.due_at)
   SELECT count(*)::int AS sent FROM gone`,
);

/** Parked events, which subscribers failed to process in time. */
@Injectable()
export class ParkedEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly time: EventTime,
  ) {}

  async count(): Promise<ParkedCount[]> {
    return systemRowsOf(this.unitOfWork, COUNT);
  }

  /** The first of them, in the order in which they were published. */
  async list({ subscriber, seq }: ParkedSelection, limit: number): Promise<ParkedEvent[]> {
    return systemRowsOf(this.unitOfWork, LIST, [subscriber ?? null, seq ?? null, limit]);
  }

  /** Sends up to `limit` parked events again, before the waiting events of the same subscriber and subject. Resolves to their number. */
  async resend({ subscriber, seq }: ParkedSelection, limit: number): Promise<number> {
    const [row] = await systemRowsOf(this.unitOfWork, RESEND, [
      this.time.now(),
      subscriber ?? null,
      seq ?? null,
      limit,
    ]);
    return row?.sent ?? 0;
  }
}
