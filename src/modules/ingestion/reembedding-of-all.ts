import { Embedder } from '#libs/ai';
import type { DatasetId, JsonObject } from '#libs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../accounts/index.js';
import { ReembeddingsService } from '../documents/index.js';
import { REEMBEDDING_OF_ALL } from './maintenance.tasks.js';
import { Reembedding } from './reembedding.js';
import { systemContext } from './system-context.js';
import { DatasetEntity } from '../datasets/index.js';

const LIST_STALE = statement(
  columnsOf(DatasetEntity, 'id'),
  `SELECT id FROM datasets WHERE deleted_at IS NULL AND embedding_space <> $1 ORDER BY id`,
);

/** Re-embeds every dataset whose vectors are of another model than the installation's. */
@TaskHandler(REEMBEDDING_OF_ALL)
export class ReembeddingOfAll extends TenantRepository implements TaskHandler<object> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tenants: TenantDirectory,
    private readonly reembedding: Reembedding,
    private readonly requests: ReembeddingsService,
    private readonly embedder: Embedder,
  ) {
    super(unitOfWork);
  }

  async run(task: RunningTask<object>): Promise<JsonObject> {
    const report = { datasets: 0, documents: 0, chunks: 0 };
    for (const tenantId of await this.tenants.list()) {
      const ctx = systemContext(tenantId, task.ctx.requestId);
      for (const { id } of await this.listStale(ctx)) {
        const { id: reembeddingId } = await this.requests.startBySystem(ctx, id);
        const before = { ...report };
        await this.reembedding.run(ctx, id, reembeddingId, async ({ documents, chunks }) => {
          report.documents = before.documents + documents;
          report.chunks = before.chunks + chunks;
          await task.report({ ...report });
        });
        report.datasets += 1;
      }
    }
    return report;
  }

  private async listStale(ctx: RequestContext): Promise<{ id: DatasetId }[]> {
    return this.query(ctx, LIST_STALE, [this.embedder.descriptor.space]);
  }
}
