import { Injectable } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { createTestMember } from '#libs/testing';
import type { DomainEvent } from './define-event.js';
import { EventFanOut } from './event-fan-out.js';
import { ForgottenEvents } from './forgotten-events.js';
import { OnDomainEvent } from './on-domain-event.js';
import { ParkedEvents } from './parked-events.js';
import { EventLab, THING_GONE, THING_MOVED, type ThingMoved } from './testing/event-lab.js';

type Seen = { readonly thing: string; readonly step: number; readonly type: string; readonly tenantId: string };

/** Notes what it is told; refuses what a test tells it to refuse. */
@Injectable()
class Notes {
  readonly seen: Seen[] = [];
  refuses: (event: DomainEvent<ThingMoved>) => boolean = () => false;

  @OnDomainEvent(THING_MOVED, { subscriber: 'notes' })
  @OnDomainEvent(THING_GONE, { subscriber: 'notes' })
  async note(ctx: RequestContext, event: DomainEvent<ThingMoved>): Promise<void> {
    if (this.refuses(event)) throw new RangeError(`Not ${event.payload.step}.`);
    const { thing_id: thing, step } = event.payload;
    this.seen.push({ thing, step, type: event.type, tenantId: ctx.tenantId });
  }

  stepsOf(thing: string): number[] {
    return this.seen.filter((one) => one.thing === thing).map(({ step }) => step);
  }
}

@Injectable()
class Others {
  seen = 0;

  @OnDomainEvent(THING_MOVED, { subscriber: 'others' })
  async note(): Promise<void> {
    this.seen += 1;
  }
}

let lab: EventLab;
let notes: Notes;

beforeAll(async () => {
  lab = await EventLab.open([Notes, Others]);
  notes = lab.get(Notes);
});

beforeEach(async () => {
  notes.refuses = () => false;
  await lab.deliverAll('notes');
  await lab.deliverAll('others');
});

afterAll(() => lab.close());

describe('an event', () => {
  it('reaches each subscriber once, in the order of its subject, with its tenant, and leaves nothing behind', async () => {
    const [a, b] = [newId(), newId()];
    const before = lab.get(Others).seen;
    await lab.publish([a, b], 1);
    await lab.publish([b], 2);
    await lab.publish([a], 2);
    await lab.publish([a], 3, THING_GONE);
    await lab.deliverAll('notes');
    await lab.deliverAll('others');
    expect(notes.stepsOf(a)).toEqual([1, 2, 3]);
    expect(notes.stepsOf(b)).toEqual([1, 2]);
    expect(notes.seen.filter(({ thing }) => thing === a).map(({ type }) => type)).toEqual([
      'thing.moved',
      'thing.moved',
      'thing.gone',
    ]);
    expect(notes.seen.every(({ tenantId }) => tenantId === lab.tenantId)).toBe(true);
    expect(lab.get(Others).seen - before).toBe(4);
    for (const table of ['domain_events', 'event_deliveries', 'event_lanes']) expect(await lab.count(table)).toBe(0);
  });

  it('is settled together with others of its round, which do not wait for that', async () => {
    const settle = vi.spyOn(lab.lanes, 'settle');
    const things = Array.from({ length: 64 }, () => newId());
    await lab.publish(things, 1);
    await lab.handOut();
    expect(await lab.round('notes')).toEqual({ lanes: 64, inTrouble: false });
    expect(settle.mock.calls.length).toBeLessThanOrEqual(8);
    expect(settle.mock.calls.flatMap(([, results]) => results)).toHaveLength(64);
    settle.mockRestore();
    expect(things.every((thing) => notes.stepsOf(thing).length === 1)).toBe(true);
    expect(await lab.count(`event_lanes WHERE subscriber = 'notes'`)).toBe(0);
    await lab.deliverAll('others');
  });

  it('of a transaction that is rolled back was never published', async () => {
    const thing = newId();
    const { unitOfWork } = lab.db;
    const { DomainEvents } = await import('./domain-events.js');
    const undone = unitOfWork.run(lab.owner.ctx, async (_manager, ctx) => {
      await lab.get(DomainEvents).publish(ctx, THING_MOVED, [{ thing_id: thing, step: 1 }]);
      throw new RangeError('no');
    });
    await expect(undone).rejects.toThrow('no');
    await lab.deliverAll('notes');
    expect(notes.stepsOf(thing)).toEqual([]);
  });

  it('that no one subscribes to is forgotten', async () => {
    await lab.rows(`DELETE FROM event_subscriptions WHERE type = 'thing.gone'`);
    await lab.publish([newId()], 1, THING_GONE);
    await lab.handOut();
    for (const table of ['domain_events', 'event_deliveries']) expect(await lab.count(table)).toBe(0);
    await lab.get(EventFanOut).announce();
  });
});

describe('a subscriber that fails', () => {
  it('gets the event again after a pause, and what follows of that subject behind it; other subjects do not wait', async () => {
    const [stuck, free] = [newId(), newId()];
    notes.refuses = ({ subject }) => subject === stuck;
    await lab.publish([stuck, free], 1);
    await lab.publish([stuck, free], 2);
    await lab.deliverAll('notes');
    expect(notes.stepsOf(free)).toEqual([1, 2]);
    expect(notes.stepsOf(stuck)).toEqual([]);
    notes.refuses = () => false;
    await lab.deliverAll('notes');
    expect(notes.stepsOf(stuck)).toEqual([]);
    lab.time.move(2);
    await lab.deliverAll('notes');
    expect(notes.stepsOf(stuck)).toEqual([1, 2]);
  });

  it('waits longer after each failure, a quarter of an hour and a quarter of that at most', async () => {
    const stuck = newId();
    notes.refuses = ({ subject }) => subject === stuck;
    await lab.publish([stuck], 1);
    const pauses: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      await lab.deliverAll('notes');
      const [lane] = await lab.rows<{ pause: number }>(
        `SELECT extract(epoch FROM due_at - $2::timestamptz)::float8 AS pause FROM event_lanes WHERE subscriber = 'notes' AND subject = $1`,
        [stuck, lab.time.now()],
      );
      pauses.push(lane!.pause);
      lab.time.move(lane!.pause + 0.01);
    }
    expect(pauses[0]).toBeLessThan(1.5);
    expect(pauses[6]).toBeGreaterThan(40);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(900 * 1.25);
    expect(pauses.at(-1)).toBeGreaterThan(900 * 0.74);
    notes.refuses = () => false;
    lab.time.move(1200);
    await lab.deliverAll('notes');
    expect(notes.stepsOf(stuck)).toEqual([1]);
  });

  it('has the event parked after a day; what follows of that subject goes on', async () => {
    const stuck = newId();
    notes.refuses = ({ subject, payload }) => subject === stuck && payload.step === 1;
    await lab.publish([stuck], 1);
    await lab.publish([stuck], 2);
    await lab.deliverAll('notes');
    lab.time.move(86_399);
    await lab.deliverAll('notes');
    expect(await lab.count('parked_events')).toBe(0);
    lab.time.move(3_600);
    await lab.deliverAll('notes');
    const parked = await lab.rows(`SELECT subscriber, subject, type, failures, reason FROM parked_events`);
    expect(parked).toEqual([
      { subscriber: 'notes', subject: stuck, type: 'thing.moved', failures: 3, reason: 'RangeError' },
    ]);
    expect(notes.stepsOf(stuck)).toEqual([2]);
    expect(await lab.count(`event_lanes WHERE subscriber = 'notes'`)).toBe(0);
    await lab.rows(`DELETE FROM parked_events`);
  });
});

describe('tenants', () => {
  it('take turns, however many events each of them has', async () => {
    const other = await createTestMember(lab.db.unitOfWork);
    const [many, one] = [Array.from({ length: 80 }, () => newId()), newId()];
    await lab.publish(many, 1);
    lab.time.move(1);
    await lab.publish([one], 1, THING_MOVED, other);
    await lab.handOut();
    const [first, second] = await lab.lanes.claim('notes', 64, 20);
    expect(new Set([first!.tenantId, second!.tenantId])).toEqual(new Set([lab.tenantId, other.tenantId]));
    lab.time.move(31);
    await lab.deliverAll('notes');
    expect(notes.stepsOf(one)).toEqual([1]);
  });

  it('of whose events all fail are put off alone', async () => {
    const other = await createTestMember(lab.db.unitOfWork);
    const [many, one] = [Array.from({ length: 80 }, () => newId()), newId()];
    notes.refuses = ({ subject }) => many.includes(subject);
    await lab.publish(many, 1);
    await lab.publish([one], 1, THING_MOVED, other);
    await lab.handOut();
    expect(await lab.round('notes')).toEqual({ lanes: 64, inTrouble: false });
    expect(notes.stepsOf(one)).toEqual([1]);
    // Those that were not asked wait as well; what comes of others does not.
    expect(await lab.count(`event_lanes WHERE subscriber = 'notes' AND failing_since IS NULL`)).toBe(0);
    await lab.publish([one], 2, THING_MOVED, other);
    await lab.lanes.putOff('notes', [lab.tenantId], 1_000, 'NO_ANSWER');
    await lab.handOut();
    await lab.lanes.putOff('notes', [lab.tenantId], 1_000, 'NO_ANSWER');
    await lab.round('notes');
    expect(notes.stepsOf(one)).toEqual([1, 2]);
    notes.refuses = () => false;
    lab.time.move(1_000);
    await lab.deliverAll('notes');
    expect(many.filter((thing) => notes.stepsOf(thing).length === 1)).toHaveLength(80);
  });
});

describe('a parked event', () => {
  it('is counted, listed, and sent again by hand, before what still waits about its subject', async () => {
    const stuck = newId();
    notes.refuses = ({ subject }) => subject === stuck;
    await lab.publish([stuck], 1);
    await lab.deliverAll('notes');
    lab.time.move(90_000);
    await lab.deliverAll('notes');
    const parked = lab.get(ParkedEvents);
    expect(await parked.count()).toMatchObject([{ subscriber: 'notes', type: 'thing.moved', events: 1 }]);
    const [event] = await parked.list({ subscriber: 'notes' }, 10);
    expect(event).toMatchObject({ subject: stuck, reason: 'RangeError', failures: 2, tenant_id: lab.tenantId });
    await lab.publish([stuck], 2);
    await lab.handOut();
    expect(await parked.resend({ seq: '0' }, 10)).toBe(0);
    expect(await parked.resend({ seq: event!.seq }, 10)).toBe(1);
    notes.refuses = () => false;
    await lab.deliverAll('notes');
    expect(notes.stepsOf(stuck)).toEqual([1, 2]);
    expect(await parked.count()).toEqual([]);
  });

  it('is forgotten after a month', async () => {
    const stuck = newId();
    notes.refuses = ({ subject }) => subject === stuck;
    await lab.publish([stuck], 1);
    await lab.deliverAll('notes');
    lab.time.move(90_000);
    await lab.deliverAll('notes');
    lab.time.move(29 * 86_400);
    await lab.get(ForgottenEvents).forget();
    expect(await lab.count('parked_events')).toBe(1);
    lab.time.move(2 * 86_400);
    await lab.get(EventFanOut).announce();
    await lab.get(ForgottenEvents).forget();
    expect(await lab.count('parked_events')).toBe(0);
    expect(await lab.count('event_subscriptions')).toBe(3);
  });
});

describe('a delivery in work', () => {
  it('is taken over when its lease has ended, and what the first one writes then counts for nothing', async () => {
    const thing = newId();
    await lab.publish([thing], 1);
    await lab.publish([thing], 2);
    await lab.handOut();
    const [first] = await lab.lanes.claim('notes', 64, 20);
    expect(first!.deliveries.map(({ seq }) => Number(seq))).toHaveLength(2);
    expect(await lab.lanes.claim('notes', 64, 20)).toEqual([]);
    lab.time.move(29);
    expect([...(await lab.lanes.extend('notes', [first!]))]).toEqual([first!.token]);
    lab.time.move(29);
    expect(await lab.lanes.claim('notes', 64, 20)).toEqual([]);
    lab.time.move(2);
    const [second] = await lab.lanes.claim('notes', 64, 20);
    expect(second!.deliveries).toEqual(first!.deliveries);
    expect((await lab.lanes.extend('notes', [first!])).size).toBe(0);
    const delivered = first!.deliveries.map(({ seq }) => seq);
    await lab.lanes.settle('notes', [{ lane: first!, delivered, failed: null }]);
    expect(await lab.count('event_deliveries')).toBe(2 + 2);
    await lab.lanes.settle('notes', [{ lane: second!, delivered, failed: null }]);
    expect(await lab.count(`event_lanes WHERE subscriber = 'notes'`)).toBe(0);
  });

  it('is not ended under news: an event that comes meanwhile is delivered next', async () => {
    const thing = newId();
    await lab.publish([thing], 1);
    await lab.handOut();
    const [lane] = await lab.lanes.claim('notes', 64, 20);
    await lab.publish([thing], 2);
    await lab.handOut();
    await lab.lanes.settle('notes', [{ lane: lane!, delivered: lane!.deliveries.map(({ seq }) => seq), failed: null }]);
    await lab.deliverAll('notes');
    expect(notes.stepsOf(thing)).toEqual([2]);
  });
});

describe('two methods', () => {
  it('may not subscribe to one kind of event under one name', async () => {
    @Injectable()
    class Again {
      @OnDomainEvent(THING_MOVED, { subscriber: 'notes' })
      async note(): Promise<void> {
        throw new Error('never asked');
      }
    }
    await expect(EventLab.open([Notes, Again])).rejects.toThrow('Two methods subscribe to thing.moved as "notes"');
  });
});
