import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { IngestionRunner } from './ingestion-runner.js';

/**
 * Takes jobs as permits: each says that there is work, not which, and is done when the worker knows. What there is to do is
 * decided by the tasks in the database, where a permit that got lost is noticed; so no job has to be tried again for what
 * happened to a document.
 */
@Processor('ingestion', { autorun: false, maxStalledCount: 10, lockDuration: 10_000, stalledInterval: 5_000 })
export class IngestionProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly runner: IngestionRunner,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    void this.worker.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner.stop();
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ err: error }, 'ingestion.worker_error');
  }

  async process(permit: Job): Promise<void> {
    this.runner.wake(permit.timestamp);
  }
}
