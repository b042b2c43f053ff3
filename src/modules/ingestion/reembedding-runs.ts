import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { DatasetId, JsonObject } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ReembeddingsService } from '../documents/index.js';
import { FormerVectors } from './former-vectors.js';
import { MaintenanceTasksRepository, type MaintenanceTask } from './maintenance-tasks.repository.js';
import { Reembedding } from './reembedding.js';
import { systemContext } from './system-context.js';

/** The maintenance tasks that re-embed: one dataset that somebody asked for, or all whose vectors are of another model. */
@Injectable()
export class ReembeddingRuns extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: MaintenanceTasksRepository,
    private readonly reembedding: Reembedding,
    private readonly requests: ReembeddingsService,
    private readonly former: FormerVectors,
    private readonly embedder: Embedder,
  ) {
    super(unitOfWork);
  }

  async carryOut(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    if (task.kind === 'reembed') return this.all(task, requestId);
    const { datasetId, reembeddingId } = task.payload as { datasetId: DatasetId; reembeddingId: string };
    let shown = { documents: 0, chunks: 0 };
    await this.reembedding.run(systemContext(task.tenantId, requestId), datasetId, reembeddingId, async (progress) => {
      shown = { ...progress };
      await this.tasks.report(task.id, 'running', shown);
    });
    return shown;
  }

  /** Removes what re-embedded datasets had before, when its time is over. */
  async dropOutlived(ctx: RequestContext): Promise<void> {
    await this.former.dropOutlived(ctx);
  }

  private async all(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    const report = { datasets: 0, documents: 0, chunks: 0 };
    for (const tenantId of await this.tasks.listTenants()) {
      const ctx = systemContext(tenantId, requestId);
      for (const { id } of await this.listStale(ctx)) {
        const { id: reembeddingId } = await this.requests.startBySystem(ctx, id);
        const before = { ...report };
        await this.reembedding.run(ctx, id, reembeddingId, async ({ documents, chunks }) => {
          report.documents = before.documents + documents;
          report.chunks = before.chunks + chunks;
          await this.tasks.report(task.id, 'running', { ...report });
        });
        report.datasets += 1;
      }
    }
    return report;
  }

  private async listStale(ctx: RequestContext): Promise<{ id: DatasetId }[]> {
    return this.query<{ id: DatasetId }>(
      ctx,
      `SELECT id FROM datasets WHERE deleted_at IS NULL AND embedding_space <> $1 ORDER BY id`,
      [this.embedder.descriptor.space],
    );
  }
}
