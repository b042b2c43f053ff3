import { randomUUID } from 'node:crypto';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import type { DocumentId } from '#libs/common';
import { Settings } from '#libs/config';
import type { JobPayloads } from '#libs/queue';
import { AttemptEnded } from '../documents/index.js';
import { IngestionPipeline } from './ingestion-pipeline.js';
import { IngestionTasksRepository, type ClaimedTask } from './ingestion-tasks.repository.js';
import { systemContext } from './system-context.js';

/** Takes documents from the queue, each under a lease that is kept alive while it is worked on. */
@Processor('ingestion', { autorun: false, maxStalledCount: 10, lockDuration: 30_000, stalledInterval: 15_000 })
export class IngestionProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();

  constructor(
    private readonly tasks: IngestionTasksRepository,
    private readonly pipeline: IngestionPipeline,
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

  async process(job: Job<JobPayloads['ingestion']>): Promise<void> {
    const { tenantId, documentId, requestId } = job.data;
    const id = documentId as DocumentId;
    const claimed = await this.tasks.claim(id, this.owner, this.settings.values.leaseSeconds);
    if (claimed === undefined) return;
    const lost = new AbortController();
    const heartbeat = this.keepAlive(id, claimed, lost);
    const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
    try {
      const ctx = systemContext(tenantId, requestId);
      const needed = await this.pipeline.run(ctx, { documentId: id, token: claimed.token }, claimed.tries, signal);
      if (!needed) await this.tasks.drop(id, claimed.token);
    } catch (error) {
      await this.giveBack(id, claimed, error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** An attempt that ended is somebody else's or nobody's; one that met a fault is free for the next try at once. */
  private async giveBack(documentId: DocumentId, claimed: ClaimedTask, error: unknown): Promise<void> {
    const stopping = this.stopping.signal.aborted;
    await this.tasks.release(documentId, claimed.token, !stopping);
    if (error instanceof AttemptEnded) return;
    if (!stopping) this.logger.warn({ err: error, documentId, tries: claimed.tries }, 'document.try_failed');
    throw error;
  }

  private keepAlive(documentId: DocumentId, claimed: ClaimedTask, lost: AbortController): NodeJS.Timeout {
    const { leaseSeconds } = this.settings.values;
    return setInterval(
      () => {
        this.tasks.extend(documentId, claimed.token, leaseSeconds).then(
          (kept) => {
            if (!kept) lost.abort(new AttemptEnded(documentId));
          },
          (error: unknown) => this.logger.warn({ err: error, documentId }, 'ingestion.heartbeat_failed'),
        );
      },
      Math.max(300, (leaseSeconds * 1000) / 4),
    );
  }
}
