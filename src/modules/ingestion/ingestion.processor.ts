import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { Settings } from '#libs/config';
import { IngestionRunner } from './ingestion-runner.js';

/**
 * Takes jobs as permits: each says that there is work, not which. What a permit finds is decided by the tasks in the database,
 * where a permit that got lost is noticed; so no job has to be tried again for what happened to a document.
 */
@Processor('ingestion', { autorun: false, maxStalledCount: 10, lockDuration: 10_000, stalledInterval: 5_000 })
export class IngestionProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly runner: IngestionRunner,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.worker.concurrency = this.settings.values.workerConcurrency;
    void this.worker.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('The service is stopping.'));
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ err: error }, 'ingestion.worker_error');
  }

  async process(permit: Job): Promise<void> {
    await this.runner.drain(permit.timestamp, this.stopping.signal);
  }
}
