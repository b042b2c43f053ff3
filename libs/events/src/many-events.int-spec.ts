import { Injectable } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { DomainEvent } from './define-event.js';
import { OnDomainEvent } from './on-domain-event.js';
import { EventLab, THING_MOVED, type ThingMoved } from './testing/event-lab.js';

/** `npm run drill:events` has 100,000. */
const EVENTS = Number(process.env['DRILL_EVENTS'] ?? 3_000);
const THINGS = EVENTS / 2;
const TOGETHER = 1_000;
const MINUTES = 60;

/** Down for an hour, then up again. */
@Injectable()
class Sometimes {
  isUp = false;
  asked = 0;
  readonly steps = new Map<string, number[]>();

  @OnDomainEvent(THING_MOVED, { subscriber: 'sometimes' })
  async note(_ctx: RequestContext, { subject, payload }: DomainEvent<ThingMoved>): Promise<void> {
    this.asked += 1;
    if (!this.isUp) throw new Error('down');
    this.steps.set(subject, [...(this.steps.get(subject) ?? []), payload.step]);
  }
}

@Injectable()
class Always {
  seen = 0;

  @OnDomainEvent(THING_MOVED, { subscriber: 'always' })
  async note(): Promise<void> {
    this.seen += 1;
  }
}

let lab: EventLab;

beforeAll(async () => {
  lab = await EventLab.open([Sometimes, Always]);
});

afterAll(() => lab.close());

it(`${EVENTS} events of a subscriber that is down for an hour: others wait for nothing, a round stays small, and afterwards all arrive in order`, async () => {
  const things = Array.from({ length: THINGS }, () => newId());
  for (const step of [1, 2]) {
    for (let from = 0; from < THINGS; from += TOGETHER) await lab.publish(things.slice(from, from + TOGETHER), step);
  }
  await lab.deliverAll('always');
  expect(lab.get(Always).seen).toBe(2 * THINGS);
  await lab.rows(`ANALYZE event_lanes, event_deliveries`).catch(() => []);

  const sometimes = lab.get(Sometimes);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const before = sometimes.asked;
    expect((await lab.round('sometimes')).inTrouble).toBe(true);
    expect(sometimes.asked - before).toBeLessThanOrEqual(minute === 0 ? 64 : 8);
    lab.time.move(60);
  }
  const late = newId();
  await lab.publish([late], 1);
  await lab.deliverAll('always');
  expect(lab.get(Always).seen).toBe(2 * THINGS + 1);

  const plan = await lab.rows<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT subject FROM event_lanes WHERE subscriber = 'sometimes' AND failing_since IS NOT NULL
       AND tenant_id = '${lab.tenantId}' AND due_at <= '2030-01-01T00:30:00Z' ORDER BY due_at LIMIT 32`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using event_lanes_failing');

  sometimes.isUp = true;
  for (let minute = 0; minute < 30 && sometimes.steps.size < THINGS + 1; minute += 1) {
    await lab.deliverAll('sometimes');
    lab.time.move(60);
  }
  expect(sometimes.steps.size).toBe(THINGS + 1);
  sometimes.steps.delete(late);
  expect([...sometimes.steps.values()].filter((steps) => steps.join() !== '1,2')).toEqual([]);
  expect(await lab.count('event_lanes')).toBe(0);
  expect(await lab.count('parked_events')).toBe(0);
}, 300_000);
