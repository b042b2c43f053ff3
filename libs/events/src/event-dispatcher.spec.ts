import type { PinoLogger } from 'nestjs-pino';
import { afterEach, expect, it } from 'vitest';
import { until } from '#testing/until';
import { DomainEvents } from './domain-events.js';
import type { EventDeliverer, RoundResult } from './event-deliverer.js';
import type { EventFanOut } from './event-fan-out.js';
import { EventDispatcher, EventDispatcherOptions } from './event-dispatcher.js';
import type { ForgottenEvents } from './forgotten-events.js';

const NEVER_MS = 3_600_000;
const SILENT = { warn: () => undefined } as unknown as PinoLogger;
const NOTHING: RoundResult = { lanes: 0, inTrouble: false };

/** Rounds of one subscriber that end when a test says so. */
class Rounds {
  readonly open: ((result: RoundResult) => void)[] = [];
  begun = 0;

  readonly deliverer = {
    listDue: async () => ['notes'],
    round: () => {
      this.begun += 1;
      return new Promise<RoundResult>((resolve) => this.open.push(resolve));
    },
  } as unknown as EventDeliverer;
}

let wake: () => void;
let dispatcher: EventDispatcher;
const rounds = new Rounds();

afterEach(async () => {
  const stopped = dispatcher.beforeApplicationShutdown();
  for (const end of rounds.open) end(NOTHING);
  await stopped;
});

it('looks once more when news came while the look that finds nothing was under way', async () => {
  let handedOut = 0;
  const events = { onPublished: (listener: () => void) => ((wake = listener), () => undefined) };
  const fanOut = { announce: async () => undefined, handOut: async () => void (handedOut += 1) };
  const notifier = { listen: () => () => undefined };
  dispatcher = new EventDispatcher(
    events as unknown as DomainEvents,
    notifier as never,
    fanOut as unknown as EventFanOut,
    rounds.deliverer,
    {} as ForgottenEvents,
    new EventDispatcherOptions(false, NEVER_MS),
    SILENT,
  );
  await dispatcher.onApplicationBootstrap();
  await until(() => rounds.begun === 1, { what: 'the first look' });
  wake();
  await until(() => handedOut === 2, { what: 'the news' });
  rounds.open[0]!(NOTHING);
  expect(await until(() => rounds.begun === 2, { what: 'a look after the news', withinMs: 2_000 })).toBe(true);
});
