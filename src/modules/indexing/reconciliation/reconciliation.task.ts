import type { JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import { TenantDirectory } from '../../accounts/index.js';
import { FormerVectors } from '../reembedding/former-vectors.service.js';
import { RECONCILIATION } from '../rows/maintenance.tasks.js';
import { Reconciler } from './reconciler.service.js';
import { ReportWriter } from './reconciliation-report.js';
import { systemContext } from '../../documents/index.js';

/** Reconciles tenant by tenant, and removes what re-embedded datasets had before when its time is over. */
@TaskHandler(RECONCILIATION)
export class Reconciliation implements TaskHandler<object> {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly reconciler: Reconciler,
    private readonly former: FormerVectors,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    const report = new ReportWriter();
    for (const tenantId of await this.tenants.list()) {
      const ctx = systemContext(tenantId, task.ctx.requestId);
      await this.reconciler.run(ctx, report);
      await this.former.dropOutlived(ctx);
      await task.report({ ...report.report() });
    }
    return { ...report.report() };
  }
}
