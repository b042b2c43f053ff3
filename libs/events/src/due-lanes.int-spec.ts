import { Injectable } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { inOneMoment } from '#libs/testing';
import { EventFanOut } from './event-fan-out.js';
import { EventLanesRepository } from './event-lanes.repository.js';
import { EventRules } from './event-rules.js';
import { EventSubscriptions } from './event-subscriptions.js';
import { DatabaseTime } from './event-time.js';
import { OnDomainEvent } from './on-domain-event.js';
import { EventLab, THING_MOVED } from './testing/event-lab.js';

@Injectable()
class Notes {
  @OnDomainEvent(THING_MOVED, { subscriber: 'notes' })
  async note(): Promise<void> {
    await Promise.resolve();
  }
}

let lab: EventLab;
beforeAll(async () => {
  lab = await EventLab.open([Notes]);
});
afterAll(() => lab.close());

it('what was handed out is due for a look within the same millisecond', async () => {
  await lab.publish([newId()], 1);
  const due = await inOneMoment(lab.db.unitOfWork, async (moment) => {
    await new EventFanOut(moment, lab.get(EventSubscriptions), new DatabaseTime()).handOut();
    const lanes = new EventLanesRepository(moment, new DatabaseTime(), lab.get(EventRules));
    return [await lanes.listDue(['notes']), await lanes.claim('notes', 1, 1)];
  });
  expect(due).toMatchObject([['notes'], [{ deliveries: [{ type: THING_MOVED.type }] }]]);
});
