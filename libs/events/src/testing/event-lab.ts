import type { Provider } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import type { TenantId } from '#libs/common';
import { DatabaseModule, systemRowsOf } from '#libs/database';
import { Metrics, MetricsModule } from '#libs/metrics';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { defineEvent } from '../define-event.js';
import { DomainEvents } from '../domain-events.js';
import { EventDeliverer, type RoundResult } from '../event-deliverer.js';
import { EventFanOut } from '../event-fan-out.js';
import { EventLanesRepository } from '../event-lanes.repository.js';
import { EventDispatcher, EventDispatcherOptions } from '../event-dispatcher.js';
import { EventRules } from '../event-rules.js';
import { EventTime } from '../event-time.js';
import { EventsModule } from '../events.module.js';
import { silentNotifier } from './events-over.js';

/** What the specs of this lib publish. */
export interface ThingMoved {
  readonly thing_id: string;
  readonly step: number;
}

export const THING_MOVED = defineEvent<ThingMoved>({
  type: 'thing.moved',
  version: 1,
  publisher: 'things',
  subject: 'thing_id',
});

export const THING_GONE = defineEvent<ThingMoved>({
  type: 'thing.gone',
  version: 1,
  publisher: 'things',
  subject: 'thing_id',
});

const NEVER = new AbortController().signal;
const MANY_ROUNDS = 2_000;

/** A clock that is stopped until it is moved. */
export class MovedTime extends EventTime {
  private at = new Date('2030-01-01T00:00:00Z');

  now(): Date {
    return this.at;
  }

  move(seconds: number): void {
    this.at = new Date(this.at.getTime() + seconds * 1000);
  }
}

/** Events over a database of their own, whose loops are stopped: nothing is handed out or delivered unless a test asks for it. */
export class EventLab {
  private constructor(
    readonly db: TestDatabase,
    readonly owner: TestMember,
    readonly time: MovedTime,
    private readonly module: TestingModule,
  ) {}

  static async open(subscribers: Provider[]): Promise<EventLab> {
    const db = await createTestDatabase();
    const time = new MovedTime();
    const module = await Test.createTestingModule({
      imports: [
        DatabaseModule.forRoot(db.database),
        silentNotifier(),
        MetricsModule.forRoot(new Metrics()),
        LoggerModule.forRoot({ pinoHttp: { level: 'silent' }, forRoutes: [] }),
        EventsModule.forRoot({
          delivery: new EventDispatcherOptions(false),
          rules: new EventRules(30, 86_400, 30 * 86_400),
        }),
      ],
      providers: subscribers,
    })
      .overrideProvider(EventTime)
      .useValue(time)
      .overrideProvider(EventDispatcher)
      .useValue({})
      .compile();
    await module.init();
    await module.get(EventFanOut).announce();
    return new EventLab(db, await createTestMember(db.unitOfWork), time, module);
  }

  get<T>(type: abstract new (...parameters: never[]) => T): T {
    return this.module.get<T>(type, { strict: false });
  }

  get deliverer(): EventDeliverer {
    return this.get(EventDeliverer);
  }

  get lanes(): EventLanesRepository {
    return this.get(EventLanesRepository);
  }

  /** Publishes one event for each thing, in a transaction of its db. */
  async publish(
    things: readonly string[],
    step: number,
    definition = THING_MOVED,
    by: TestMember = this.owner,
  ): Promise<void> {
    await this.db.unitOfWork.run(by.ctx, (_manager, ctx) =>
      this.get(DomainEvents).publish(
        ctx,
        definition,
        things.map((thing) => ({ thing_id: thing, step })),
      ),
    );
  }

  async handOut(): Promise<void> {
    await this.get(EventFanOut).handOut();
  }

  /** One round of a subscriber. */
  round(subscriber: string): Promise<RoundResult> {
    return this.deliverer.round(subscriber, NEVER);
  }

  /** Hands out, and delivers until nothing is due. */
  async deliverAll(subscriber: string): Promise<void> {
    await this.handOut();
    for (let round = 0; round < MANY_ROUNDS; round += 1) {
      if ((await this.round(subscriber)).lanes === 0) return;
    }
    throw new Error('There is something due for ever.');
  }

  async count(table: string): Promise<number> {
    const [row] = await this.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return row!.n;
  }

  rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return systemRowsOf<Row>(this.db.unitOfWork, sql, parameters);
  }

  get tenantId(): TenantId {
    return this.owner.tenantId;
  }

  async close(): Promise<void> {
    await this.module.close();
    await this.db.close();
  }
}
