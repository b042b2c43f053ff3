import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { MessageThrottle, reasonOf } from '#libs/common';
import { NOTIFICATION_QUEUE, WorkNotifier, type WorkNotification } from './work-notifier.js';

/** Milliseconds between two messages about a queue that is away: every try to connect again is an error. */
const QUIET_MS = 60_000;

/** Receives notifications in a worker. A notification is done when its listeners are called, since the work itself is in the database. */
@Processor(NOTIFICATION_QUEUE, { autorun: false, maxStalledCount: 10, lockDuration: 10_000, stalledInterval: 5_000 })
export class NotificationProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isListening = false;
  private readonly throttle = new MessageThrottle(QUIET_MS);

  constructor(
    private readonly notifier: WorkNotifier,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.isListening = true;
    void this.worker.run();
  }

  /** At once: a notification in work is passed on without waiting, and a queue that is away would be waited for without end. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.isListening) await this.worker.close(true);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.throttle.pass((omitted) => this.logger.warn({ reason: reasonOf(error), omitted }, 'queue.worker_error'));
  }

  async process({ data, timestamp }: Job<WorkNotification>): Promise<void> {
    this.notifier.pass(data.kind, timestamp);
  }
}
