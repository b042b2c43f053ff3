import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { RunningTask } from '#libs/tasks';
import { StoreIntents, type StoreIntent, type StoreIntentKind } from '../../documents/index.js';

/** Maximum number of intents of one run; the rest waits for the tenant's next turn. */
const BATCH = 200;
const RETRY_SECONDS = 30;

export interface IntentRun {
  readonly kind: StoreIntentKind;
  /** Seconds between two runs of a tenant whose remaining intents are due later. */
  readonly pauseSeconds: number;
  /** Settles or postpones each of the intents. Can be repeated. */
  readonly carryOut: (intents: readonly StoreIntent[]) => Promise<void>;
}

/** Carries out recorded intents, one batch of one tenant and kind at a time. */
@Injectable()
export class IntentWork {
  constructor(
    private readonly intents: StoreIntents,
    private readonly logger: PinoLogger,
  ) {}

  /** Carries out due intents and enqueues a task for the remaining ones. */
  async run({ ctx }: RunningTask<object>, { kind, pauseSeconds, carryOut }: IntentRun): Promise<void> {
    const due = await this.intents.listDue(ctx, kind, BATCH);
    if (due.length > 0) await carryOut(due);
    await this.intents.promiseNext(ctx, kind, due.length === BATCH ? 0 : pauseSeconds);
  }

  /** If it fails, the whole batch is tried again later, and other intents are not blocked. */
  async attempt(intents: readonly StoreIntent[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const [first] = intents;
      this.logger.warn({ err: error, kind: first?.kind, subject: first?.subject }, 'store_intent.failed');
      await this.intents.postpone(intents, RETRY_SECONDS);
    }
  }
}
