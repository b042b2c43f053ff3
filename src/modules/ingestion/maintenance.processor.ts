import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { PinoLogger } from 'nestjs-pino';
import { assertNever, type DatasetId, type JsonObject } from '#libs/common';
import { BackupUnderWay } from '#libs/database';
import type { JobPayloads } from '#libs/queue';
import { DatasetDeletion } from './dataset-deletion.js';
import { DatasetPurge } from './dataset-purge.js';
import { MaintenanceTasksRepository, type MaintenanceTask } from './maintenance-tasks.repository.js';
import { Reconciler } from './reconciler.js';
import { ReembeddingRuns } from './reembedding-runs.js';
import { ReportWriter } from './reconciliation-report.js';
import { ReindexRuns } from './reindex-runs.js';
import { systemContext } from './system-context.js';

/** Does the long work that is not about one document. */
@Processor('maintenance', {
  autorun: false,
  // Re-embedding a large dataset takes hours; other work goes on beside it.
  concurrency: 4,
  maxStalledCount: 10,
  lockDuration: 30_000,
  stalledInterval: 15_000,
})
export class MaintenanceProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly tasks: MaintenanceTasksRepository,
    private readonly deletion: DatasetDeletion,
    private readonly purge: DatasetPurge,
    private readonly reindexing: ReindexRuns,
    private readonly reconciler: Reconciler,
    private readonly reembedding: ReembeddingRuns,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    void this.worker.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ err: error }, 'maintenance.worker_error');
  }

  async process(job: Job<JobPayloads['maintenance']>): Promise<void> {
    const task = await this.tasks.find(job.data.taskId);
    if (task === undefined || task.status === 'completed') return;
    await this.tasks.report(task.id, 'running', task.progress);
    try {
      const progress = await this.carryOut(task, job.data.requestId);
      await this.tasks.report(task.id, 'completed', progress);
      this.logger.info({ taskId: task.id, kind: task.kind, progress }, 'maintenance.completed');
    } catch (error) {
      if (error instanceof BackupUnderWay) return this.postpone(task, error);
      this.logger.warn({ err: error, taskId: task.id, kind: task.kind }, 'maintenance.failed');
      await this.tasks.report(
        task.id,
        'pending',
        task.progress,
        error instanceof Error ? error.message : String(error),
      );
      throw error;
    }
  }

  /** The sweeper promises it again a minute later. */
  private async postpone(task: MaintenanceTask, reason: BackupUnderWay): Promise<void> {
    this.logger.info({ taskId: task.id, kind: task.kind }, 'maintenance.waits_for_backup');
    await this.tasks.report(task.id, 'pending', task.progress, reason.message);
  }

  private async carryOut(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    switch (task.kind) {
      case 'delete_dataset':
        return this.deleteDataset(task, requestId);
      case 'purge_dataset':
        return this.purgeDataset(task, requestId);
      case 'reconcile':
        return this.reconcileAll(task, requestId);
      case 'reindex':
        return this.reindexing.carryOut(task, requestId);
      case 'reembed':
      case 'reembed_dataset':
        return this.reembedding.carryOut(task, requestId);
      default:
        return assertNever(task.kind);
    }
  }

  private async deleteDataset(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    const { datasetId, deletionId } = task.payload as { datasetId: DatasetId; deletionId: string };
    let removed = 0;
    await this.deletion.run(systemContext(task.tenantId, requestId), datasetId, deletionId, async (count) => {
      removed = count;
      await this.tasks.report(task.id, 'running', { removed });
    });
    return { removed };
  }

  private async purgeDataset(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    const { datasetId, purgeId } = task.payload as { datasetId: DatasetId; purgeId: string };
    let removed = 0;
    await this.purge.run(systemContext(task.tenantId, requestId), datasetId, purgeId, async (count) => {
      removed = count;
      await this.tasks.report(task.id, 'running', { removed });
    });
    return { removed };
  }

  private async reconcileAll(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    const report = new ReportWriter();
    for (const tenantId of await this.tasks.listTenants()) {
      await this.reconciler.run(systemContext(tenantId, requestId), report);
      await this.reembedding.dropOutlived(systemContext(tenantId, requestId));
      await this.tasks.report(task.id, 'running', { ...report.report() });
    }
    return { ...report.report() };
  }
}
