import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, MessageThrottle } from '#libs/common';
import { ProcessesRepository, WaitCauses, type WaitingTasks } from '#libs/tasks';

const LOOK_EVERY_MS = 10_000;
const QUIET_MS = 60_000;
/**
 * Reasons that are not reported: waiting for a turn, for a scheduled time (such as deliveries to a failing receiver), for a person, or
 * after a fault of the task itself.
 */
const NO_DEPENDENCY = new Set([
  'queued',
  'NOT_DUE',
  'retry_backoff',
  'budget_exhausted',
  'worker_lost',
  'INTERNAL_ERROR',
]);

/** Logs one warning a minute while tasks wait for a dependency or a worker, and one line when that has ended. */
@Injectable()
export class WaitingReport implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly throttle = new MessageThrottle(QUIET_MS);
  private readonly loop: BackgroundLoop;
  private isReported = false;

  constructor(
    private readonly processes: ProcessesRepository,
    private readonly causes: WaitCauses,
    private readonly logger: PinoLogger,
  ) {
    this.loop = new BackgroundLoop(
      LOOK_EVERY_MS,
      () => this.look(),
      // The database is unavailable, which the component watch reports.
      (error) => this.logger.debug({ err: error }, 'work.not_counted'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** One round of the loop. */
  async look(): Promise<void> {
    const { workers, waiting } = await this.processes.overview();
    const held = workers === 0 ? waiting : waiting.filter(({ reason }) => !NO_DEPENDENCY.has(reason));
    if (held.length > 0) {
      this.isReported = true;
      this.throttle.pass(() => this.logger.warn({ workers, ...this.factsOf(held) }, 'work.waiting'));
    } else if (this.isReported) {
      this.isReported = false;
      this.logger.info({ workers }, 'work.waiting_over');
    }
  }

  private factsOf(held: readonly WaitingTasks[]): object {
    const reasons = [...new Set(held.map(({ reason }) => reason))];
    return {
      waiting: Object.fromEntries(held.map(({ kind, reason, tasks }) => [`${kind}.${reason}`, tasks])),
      oldestSeconds: Math.round(Math.max(...held.map(({ oldestSeconds }) => oldestSeconds))),
      causes: this.causes.of(reasons),
    };
  }
}
