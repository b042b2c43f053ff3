import type { JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import { TenantDirectory } from '../../accounts/index.js';
import { ReembeddingsRepository } from '../spaces/reembeddings.repository.js';
import { ReembeddingsService } from '../spaces/reembeddings.service.js';
import { systemContext } from '../../documents/index.js';
import { REEMBEDDING_OF_ALL } from '../rows/maintenance.tasks.js';
import { FIRST_PLACE, Reembedding, type ReembeddingProgress } from './reembedding.service.js';

/** Re-embeds every dataset whose vectors are of another model than its policy, or else the installation, wants. */
@TaskHandler(REEMBEDDING_OF_ALL)
export class ReembeddingOfAll implements TaskHandler<object> {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly reembedding: Reembedding,
    private readonly requests: ReembeddingsService,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    const report = { datasets: 0, documents: 0, chunks: 0, datasets_with_warnings: 0 };
    for (const tenantId of await this.tenants.list()) {
      const ctx = systemContext(tenantId, task.ctx.requestId);
      for (const { id, embedding_space: space } of await this.reembeddings.listDatasets(ctx)) {
        if ((await this.requests.target(ctx, id)).space === space) continue;
        const { id: reembeddingId, warnings } = await this.requests.startBySystem(ctx, id);
        const before = { ...report };
        const tell = async ({ documents, chunks }: ReembeddingProgress): Promise<void> => {
          report.documents = before.documents + documents;
          report.chunks = before.chunks + chunks;
          await task.report({ ...report });
        };
        // Of the service itself, which no tenant waits for.
        const giveWay = async (): Promise<void> => undefined;
        await this.reembedding.run(ctx, id, reembeddingId, { from: FIRST_PLACE, report: tell, giveWay });
        report.datasets += 1;
        if (warnings.length > 0) report.datasets_with_warnings += 1;
      }
    }
    return report;
  }
}
