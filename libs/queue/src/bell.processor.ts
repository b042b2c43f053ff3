import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { Occasional, reasonOf } from '#libs/common';
import { BELL_QUEUE, WorkBell, type Ring } from './work-bell.js';

/** Milliseconds between two messages about a queue that is away: every try to connect again is an error. */
const QUIET_MS = 60_000;

/** Hears the bell in a process that works. A ring is done when its listeners know: what there is to do is in the database. */
@Processor(BELL_QUEUE, { autorun: false, maxStalledCount: 10, lockDuration: 10_000, stalledInterval: 5_000 })
export class BellProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isListening = false;
  private readonly occasional = new Occasional(QUIET_MS);

  constructor(
    private readonly bell: WorkBell,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.isListening = true;
    void this.worker.run();
  }

  /** At once: a ring in work is passed on without waiting, and a queue that is away would be waited for without end. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.isListening) await this.worker.close(true);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.occasional.pass((omitted) => this.logger.warn({ reason: reasonOf(error), omitted }, 'queue.worker_error'));
  }

  async process({ data, timestamp }: Job<Ring>): Promise<void> {
    this.bell.pass(data.kind, timestamp);
  }
}
