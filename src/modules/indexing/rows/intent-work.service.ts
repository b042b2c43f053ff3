import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { RunningTask } from '#libs/tasks';
import { StoreIntents, type StoreIntent, type StoreIntentKind } from '../../documents/index.js';

/** Intents of one run; a tenant with more waits for its next turn. */
const BATCH = 200;
const RETRY_SECONDS = 30;

export interface IntentRun {
  readonly kind: StoreIntentKind;
  /** Seconds between two runs of a tenant that has nothing but what is due later. */
  readonly pauseSeconds: number;
  /** Settles each of the intents, or postpones it. May be repeated. */
  readonly carryOut: (intents: readonly StoreIntent[]) => Promise<void>;
}

/** Works off what was recorded for the stores, a batch of one tenant and kind at a time. */
@Injectable()
export class IntentWork {
  constructor(
    private readonly intents: StoreIntents,
    private readonly logger: PinoLogger,
  ) {}

  /** Carries out what is due and promises a task for what is left. */
  async run({ ctx }: RunningTask<object>, { kind, pauseSeconds, carryOut }: IntentRun): Promise<void> {
    const due = await this.intents.listDue(ctx, kind, BATCH);
    if (due.length > 0) await carryOut(due);
    await this.intents.promiseNext(ctx, kind, due.length === BATCH ? 0 : pauseSeconds);
  }

  /** What fails is tried again later, all of it, and holds up nothing else. */
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
