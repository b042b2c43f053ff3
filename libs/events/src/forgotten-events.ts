import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { result, rowsOf, statement, UnitOfWork, type Statement } from '#libs/database';
import { EventRules } from './event-rules.js';
import { EventTime } from './event-time.js';

/** Rows that one look removes of each kind. */
const BATCH = 1_000;
const OLD = `coalesce($1::timestamptz, now()) - make_interval(secs => $2)`;

const GONE_SUBSCRIBERS = `SELECT subscriber FROM event_subscriptions GROUP BY subscriber HAVING max(seen_at) < ${OLD}`;
const LANES_WITHOUT_SUBSCRIBER = `SELECT l.subscriber, l.subject FROM event_lanes l
  WHERE l.subscriber IN (${GONE_SUBSCRIBERS}) LIMIT ${BATCH} FOR UPDATE OF l SKIP LOCKED`;

const GONE = { gone: result.integer };
const FORGET_PARKED = statement(
  GONE,
  `DELETE FROM parked_events p USING (SELECT subscriber, seq FROM parked_events WHERE parked_at < ${OLD}
     ORDER BY parked_at LIMIT ${BATCH}) old
   WHERE p.subscriber = old.subscriber AND p.seq = old.seq RETURNING 1 AS gone`,
);
const FORGET_DELIVERIES = statement(
  GONE,
  `WITH gone AS (${LANES_WITHOUT_SUBSCRIBER}),
   lanes AS (DELETE FROM event_lanes l USING gone WHERE l.subscriber = gone.subscriber AND l.subject = gone.subject)
   DELETE FROM event_deliveries d USING gone WHERE d.subscriber = gone.subscriber AND d.subject = gone.subject RETURNING 1 AS gone`,
);
const FORGET_SUBSCRIPTIONS = statement(
  GONE,
  `DELETE FROM event_subscriptions s WHERE s.subscriber IN (${GONE_SUBSCRIBERS})
     AND NOT EXISTS (SELECT FROM event_lanes l WHERE l.subscriber = s.subscriber) RETURNING 1 AS gone`,
);

/** Removes old events and gone subscribers, a bounded number at a time. */
@Injectable()
export class ForgottenEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rules: EventRules,
    private readonly time: EventTime,
    private readonly logger: PinoLogger,
  ) {}

  /** Parked events that are too old, and everything of subscribers that no process has announced for as long. */
  async forget(): Promise<void> {
    const parameters = [this.time.now(), this.rules.keepSeconds];
    const counts = await this.unitOfWork.runAsSystem(async (manager) => {
      const remove = async (forget: Statement<{ gone: number }>): Promise<number> =>
        (await rowsOf(manager, forget, parameters)).length;
      return {
        parked: await remove(FORGET_PARKED),
        deliveries: await remove(FORGET_DELIVERIES),
        subscriptions: await remove(FORGET_SUBSCRIPTIONS),
      };
    });
    if (Object.values(counts).some((count) => count > 0)) this.logger.info(counts, 'events.forgotten');
  }
}
