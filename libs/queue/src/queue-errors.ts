import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { MessageThrottle, reasonOf } from '#libs/common';
import { NOTIFICATION_QUEUE } from './work-notifier.js';

/** Milliseconds between two messages about a connection that does not come back; it is tried every two seconds. */
const QUIET_MS = 30_000;

/** Listens to connection errors of the queue: without a listener BullMQ prints the error together with its client. */
@Injectable()
export class QueueErrors {
  private readonly throttle = new MessageThrottle(QUIET_MS);

  constructor(
    private readonly logger: PinoLogger,
    @InjectQueue(NOTIFICATION_QUEUE) queue: Queue,
  ) {
    queue.on('error', (error) => this.report(error));
  }

  private report(error: Error): void {
    this.throttle.pass((omitted) => this.logger.warn({ reason: reasonOf(error), omitted }, 'queue.connection_lost'));
  }
}
