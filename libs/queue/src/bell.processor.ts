import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { BELL_QUEUE, WorkBell, type Ring } from './work-bell.js';

/** Hears the bell in a process that works. A ring is done when its listeners know: what there is to do stands in the database. */
@Processor(BELL_QUEUE, { autorun: false, maxStalledCount: 10, lockDuration: 10_000, stalledInterval: 5_000 })
export class BellProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isListening = false;

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

  async beforeApplicationShutdown(): Promise<void> {
    if (this.isListening) await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ err: error }, 'queue.worker_error');
  }

  async process({ data, timestamp }: Job<Ring>): Promise<void> {
    this.bell.pass(data.kind, timestamp);
  }
}
