import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import { MaintenanceTasksRepository, type MaintenanceTask } from './maintenance-tasks.repository.js';
import { Reindex, type ReindexReport } from './reindex.js';
import { StoreMove } from './store-move.js';
import { systemContext } from './system-context.js';

/** What `npm run reindex` asks for: the store that answers rebuilt, the installation moved to another, or a move ended. */
@Injectable()
export class ReindexRuns {
  constructor(
    private readonly tasks: MaintenanceTasksRepository,
    private readonly reindex: Reindex,
    private readonly move: StoreMove,
  ) {}

  async carryOut(task: MaintenanceTask, requestId: string): Promise<JsonObject> {
    const { to, finish } = task.payload;
    if (typeof to === 'string') return this.move.run(task, to);
    if (finish === true) return this.move.finish(task);
    const report: ReindexReport = { datasets: 0, documents: 0, written: 0, removed: 0 };
    for (const tenantId of await this.tasks.listTenants()) {
      await this.reindex.run(systemContext(tenantId, requestId), report, (now) =>
        this.tasks.report(task.id, 'running', { ...now }),
      );
    }
    return { ...report };
  }
}
