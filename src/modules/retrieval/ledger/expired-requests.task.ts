import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, withoutPayload, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { OldRequests } from './old-requests.repository.js';

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

/** Removes what is too old from the ledger of requests, tenant by tenant, because no role sees more than one tenant's. */
@TaskHandler(RETENTION_OF_REQUESTS)
export class ExpiredRequests implements TaskHandler<object> {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly requests: OldRequests,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      const ctx: RequestContext = { ...task.ctx, tenantId };
      for (let batch = BATCH; batch === BATCH;) {
        batch = await this.requests.remove(ctx, this.settings.values.requestsKeptDays, BATCH);
        removed += batch;
        this.metrics.countExpired('requests', batch);
        await task.report({ removed });
      }
    }
    return { removed };
  }
}
