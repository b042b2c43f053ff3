import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, withoutPayload, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { RequestLedgerEntity } from './request-ledger.entity.js';

/** Rows that one statement removes. */
const BATCH = 1_000;
const HOUR_SECONDS = 3_600;

/** Hourly: requests of more than REQUESTS_KEPT_DAYS ago are forgotten. */
export const RETENTION_OF_REQUESTS = defineTask({
  kind: 'retention_of_requests',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

const REMOVE_BATCH = statement(
  columnsOf(RequestLedgerEntity, 'id'),
  `DELETE FROM request_ledger WHERE id IN (
     SELECT id FROM request_ledger WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)
   RETURNING id`,
);

/** Removes what is too old from the ledger of requests, tenant by tenant, because no role sees more than one tenant's. */
@TaskHandler(RETENTION_OF_REQUESTS)
export class ExpiredRequests extends TenantRepository implements TaskHandler<object> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tenants: TenantDirectory,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {
    super(unitOfWork);
  }

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      const ctx: RequestContext = { ...task.ctx, tenantId };
      for (let batch = BATCH; batch === BATCH;) {
        batch = await this.removeBatch(ctx);
        removed += batch;
        this.metrics.countExpired('requests', batch);
        await task.report({ removed });
      }
    }
    return { removed };
  }

  private async removeBatch(ctx: RequestContext): Promise<number> {
    const rows = await this.query(ctx, REMOVE_BATCH, [this.settings.values.requestsKeptDays, BATCH]);
    return rows.length;
  }
}
