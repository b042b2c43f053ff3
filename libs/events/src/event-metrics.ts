import { Injectable, type OnModuleInit } from '@nestjs/common';
import { result, statement, systemRowsOf, UnitOfWork, type RowOf } from '#libs/database';
import { Metrics, type Sample } from '#libs/metrics';
import { ParkedEvents } from './parked-events.js';

const LANE_COUNTS = {
  subscriber: result.text(),
  waiting: result.integer,
  failing: result.integer,
  oldest: result.float,
};
const COUNT_LANES = statement(
  LANE_COUNTS,
  `SELECT subscriber, count(*) FILTER (WHERE failing_since IS NULL)::int AS waiting,
     count(*) FILTER (WHERE failing_since IS NOT NULL)::int AS failing,
     coalesce(extract(epoch FROM now() - min(failing_since)), 0)::float8 AS oldest
   FROM event_lanes GROUP BY subscriber`,
);

/** Contributes waiting, failing and parked events to the metrics of the process. */
@Injectable()
export class EventMetrics implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly parked: ParkedEvents,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const lanes =
      'Number of documents and other subjects with events that a subscriber has yet to process, or fails to process.';
    this.metrics.addGauge('kb_event_lanes', lanes, ['subscriber', 'state'], async () =>
      (await this.countLanes()).flatMap(({ subscriber, waiting, failing }) => [
        { labels: { subscriber, state: 'waiting' }, value: waiting },
        { labels: { subscriber, state: 'failing' }, value: failing },
      ]),
    );
    const age =
      'Seconds since the first failure of the event that a subscriber has failed to process for the longest time.';
    this.metrics.addGauge('kb_event_longest_failing_seconds', age, ['subscriber'], async () =>
      (await this.countLanes()).map(({ subscriber, oldest }) => ({ labels: { subscriber }, value: oldest })),
    );
    const parked =
      'Number of parked events: a subscriber failed to process them in time, and they wait to be sent again by hand.';
    this.metrics.addGauge('kb_event_parked', parked, ['subscriber', 'type'], () => this.countParked());
  }

  private async countParked(): Promise<Sample[]> {
    const counts = await this.parked.count();
    return counts.map(({ subscriber, type, events }) => ({ labels: { subscriber, type }, value: events }));
  }

  private async countLanes(): Promise<RowOf<typeof LANE_COUNTS>[]> {
    return systemRowsOf(this.unitOfWork, COUNT_LANES);
  }
}
