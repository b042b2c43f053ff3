import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { delay } from '#libs/common';
import { WorkNotifier } from '#libs/queue';
import { DomainEvents, EVENTS_NOTIFICATION } from './domain-events.js';
import { EventDeliverer } from './event-deliverer.js';
import { EventFanOut } from './event-fan-out.js';
import { ForgottenEvents } from './forgotten-events.js';

/** Time within which due lanes, and events whose notification was lost, are found. */
const POLL_MS = 1_000;
/** Pause after a notification, in which more events arrive that can be handed out together. */
const GATHER_MS = 100;
/** Pauses of a subscriber that processes no event; the longest is the delay after which it may notice that it can continue. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const ROUNDS_PER_ANNOUNCEMENT = 60;

export class EventDispatcherOptions {
  constructor(
    /** Whether this is the only process that delivers: then the lanes of an earlier process are taken up at once. */
    readonly alone: boolean,
    readonly pollMs = POLL_MS,
  ) {}
}

/** Hands out events and has them delivered, each subscriber at its own speed. */
@Injectable()
export class EventDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly atWork = new Map<string, Promise<void>>();
  /** Those of `atWork` for whom something was found due meanwhile: the claim that finds nothing may have begun before it was there. */
  private readonly dueAgain = new Set<string>();
  private wake: () => void = () => undefined;
  private unsubscribe: readonly (() => void)[] = [];
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: DomainEvents,
    private readonly notifier: WorkNotifier,
    private readonly fanOut: EventFanOut,
    private readonly deliverer: EventDeliverer,
    private readonly forgotten: ForgottenEvents,
    private readonly options: EventDispatcherOptions,
    private readonly logger: PinoLogger,
  ) {}

  /** Before a request can be answered: what happens from now on is known to those who subscribe. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.options.alone) await this.deliverer.takeUpAll();
    await this.fanOut.announce();
    this.unsubscribe = [
      this.events.onPublished(() => this.wake()),
      this.notifier.listen(EVENTS_NOTIFICATION, () => this.wake()),
    ];
    this.running = this.loop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.unsubscribe) stop();
    this.stopping.abort(new Error('The service is stopping.'));
    this.wake();
    await this.running;
    await Promise.all(this.atWork.values());
  }

  private async loop(): Promise<void> {
    for (let round = 1; !this.stopping.signal.aborted; round += 1) {
      const news = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      await this.attempt('events.round_failed', () => this.round(round));
      await Promise.race([news, this.pause(this.options.pollMs)]);
      await this.pause(GATHER_MS);
    }
  }

  private async round(round: number): Promise<void> {
    await this.fanOut.handOut();
    if (round % ROUNDS_PER_ANNOUNCEMENT === 0) {
      await this.fanOut.announce();
      await this.forgotten.forget();
    }
    for (const subscriber of await this.deliverer.listDue()) this.start(subscriber);
  }

  private start(subscriber: string): void {
    if (this.atWork.has(subscriber)) {
      this.dueAgain.add(subscriber);
      return;
    }
    const work = this.attempt('events.delivery_round_failed', () => this.deliver(subscriber));
    this.atWork.set(
      subscriber,
      work.finally(() => {
        this.atWork.delete(subscriber);
        if (this.dueAgain.delete(subscriber) && !this.stopping.signal.aborted) this.start(subscriber);
      }),
    );
  }

  /** Round after round until nothing is due. */
  private async deliver(subscriber: string): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.stopping.signal.aborted;) {
      this.dueAgain.delete(subscriber);
      const { lanes, inTrouble } = await this.deliverer.round(subscriber, this.stopping.signal);
      if (lanes === 0) return;
      if (!inTrouble) {
        pauseMs = FIRST_PAUSE_MS;
        continue;
      }
      await this.pause(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  /** A database that is away is tried again at the next round. */
  private async attempt(event: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ err: error }, event);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, this.stopping.signal).catch(() => undefined);
  }
}
