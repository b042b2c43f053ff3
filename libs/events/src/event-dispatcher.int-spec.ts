import { Injectable, type Provider } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '#libs/common';
import { DatabaseModule } from '#libs/database';
import { Metrics, MetricsModule } from '#libs/metrics';
import { QueueModule } from '#libs/queue';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import type { RequestContext } from '#libs/tenancy';
import type { DomainEvent } from './define-event.js';
import { DomainEvents } from './domain-events.js';
import { EventDispatcherOptions } from './event-dispatcher.js';
import { EventRules } from './event-rules.js';
import { EventsModule } from './events.module.js';
import { OnDomainEvent } from './on-domain-event.js';
import { THING_MOVED, type ThingMoved } from './testing/event-lab.js';
import { eventsOver } from './testing/events-over.js';

@Injectable()
class Notes {
  readonly steps: number[] = [];

  @OnDomainEvent(THING_MOVED, { subscriber: 'notes' })
  async note(_ctx: RequestContext, event: DomainEvent<ThingMoved>): Promise<void> {
    this.steps.push(event.payload.step);
  }
}

const NEVER_MS = 3_600_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

/** A process that delivers, or with null one that publishes only, as `ROLE=api`. */
async function startProcess(
  delivery: EventDispatcherOptions | null,
  providers: Provider[] = [],
): Promise<TestingModule> {
  const listens = delivery !== null;
  const module = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot(db.database),
      MetricsModule.forRoot(new Metrics()),
      LoggerModule.forRoot({ pinoHttp: { level: 'silent' }, forRoutes: [] }),
      QueueModule.forRoot({ databaseUrl: db.url, roles: db.database.roles, redisUrl: undefined, listens }),
      EventsModule.forRoot({ delivery, rules: new EventRules(30, 86_400, 86_400) }),
    ],
    providers,
  }).compile();
  return module.init();
}

async function publish(from: TestingModule, steps: readonly number[]): Promise<void> {
  const { ctx } = await createTestMember(db.unitOfWork);
  const thing = newId();
  for (const step of steps) {
    await db.unitOfWork.run(ctx, (_manager, inner) =>
      from.get(DomainEvents, { strict: false }).publish(inner, THING_MOVED, [{ thing_id: thing, step }]),
    );
  }
}

it('a started process delivers by itself, in order, and stops without a delivery left in work', async () => {
  const worker = await startProcess(new EventDispatcherOptions(true, NEVER_MS), [Notes]);
  await publish(worker, [1, 2, 3]);
  await vi.waitFor(() => expect(worker.get(Notes).steps).toEqual([1, 2, 3]), { timeout: 20_000 });
  await worker.close();
  const left = await db.unitOfWork.runAsSystem((manager) => manager.query(`SELECT subject FROM event_lanes`));
  expect(left).toEqual([]);
});

// Neither looks by itself: what is noticed, a notification has told.
it('a process that delivers is told of the events of one that only publishes', async () => {
  const worker = await startProcess(new EventDispatcherOptions(false, NEVER_MS), [Notes]);
  const api = await startProcess(null);
  for (const step of [1, 2]) {
    await publish(api, [step]);
    await vi.waitFor(() => expect(worker.get(Notes).steps).toContain(step), { timeout: 20_000 });
  }
  await api.close();
  await worker.close();
});

it('a process that delivers finds events whose notification was lost', async () => {
  const worker = await startProcess(new EventDispatcherOptions(false), [Notes]);
  const { ctx } = await createTestMember(db.unitOfWork);
  await db.unitOfWork.run(ctx, (_manager, inner) =>
    eventsOver(db.unitOfWork).publish(inner, THING_MOVED, [{ thing_id: newId(), step: 7 }]),
  );
  await vi.waitFor(() => expect(worker.get(Notes).steps).toEqual([7]), { timeout: 20_000 });
  await worker.close();
});
