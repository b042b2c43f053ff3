import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { expect, it, vi } from 'vitest';
import { newId } from '#libs/common';
import { DatabaseModule } from '#libs/database';
import { Metrics, MetricsModule } from '#libs/metrics';
import { createTestDatabase, createTestMember } from '#libs/testing';
import type { RequestContext } from '#libs/tenancy';
import type { DomainEvent } from './define-event.js';
import { DomainEvents } from './domain-events.js';
import { EventPumpOptions } from './event-pump.js';
import { EventRules } from './event-rules.js';
import { EventsModule } from './events.module.js';
import { OnDomainEvent } from './on-domain-event.js';
import { THING_MOVED, type ThingMoved } from './testing/event-lab.js';

@Injectable()
class Notes {
  readonly steps: number[] = [];

  @OnDomainEvent(THING_MOVED, { subscriber: 'notes' })
  async note(_ctx: RequestContext, event: DomainEvent<ThingMoved>): Promise<void> {
    this.steps.push(event.payload.step);
  }
}

it('a started process delivers by itself, in order, and stops without a delivery left in work', async () => {
  const db = await createTestDatabase();
  const { ctx } = await createTestMember(db.unitOfWork);
  const module = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot(db.database),
      MetricsModule.forRoot(new Metrics()),
      LoggerModule.forRoot({ pinoHttp: { level: 'silent' }, forRoutes: [] }),
      EventsModule.forRoot({ delivery: new EventPumpOptions(true), rules: new EventRules(30, 86_400, 86_400) }),
    ],
    providers: [Notes],
  }).compile();
  await module.init();
  const thing = newId();
  for (const step of [1, 2, 3]) {
    await db.unitOfWork.run(ctx, (_manager, inner) =>
      module.get(DomainEvents, { strict: false }).publish(inner, THING_MOVED, [{ thing_id: thing, step }]),
    );
  }
  await vi.waitFor(() => expect(module.get(Notes).steps).toEqual([1, 2, 3]), { timeout: 20_000 });
  await module.close();
  const left = await db.unitOfWork.runAsSystem((manager) => manager.query(`SELECT subject FROM event_lanes`));
  expect(left).toEqual([]);
  await db.close();
});
