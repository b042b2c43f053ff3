import type { JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import { TenantDirectory } from '../../accounts/index.js';
import { REINDEX } from '../rows/maintenance.tasks.js';
import { Reindex, type ReindexReport } from './reindex.service.js';
import { systemContext } from '../../documents/index.js';

/** Rebuilds the store that answers, tenant by tenant. */
@TaskHandler(REINDEX)
export class ReindexRun implements TaskHandler<object> {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly reindex: Reindex,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    const report: ReindexReport = { datasets: 0, documents: 0, written: 0, removed: 0 };
    for (const tenantId of await this.tenants.list()) {
      const running = this.reindex.run(systemContext(tenantId, task.ctx.requestId), report);
      for await (const now of running) await task.report({ ...now });
    }
    return { ...report };
  }
}
