import type { JsonObject } from '#libs/common';
import { IdempotencyService } from '#libs/http';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, withoutPayload, type RunningTask } from '#libs/tasks';
import { TenantDirectory } from '../tenants/tenant-directory.repository.js';

/** Rows that one statement removes. */
const BATCH = 1_000;
const HOUR_SECONDS = 3_600;

/** Hourly: results of requests with an `Idempotency-Key` that are kept no longer are forgotten. */
export const RETENTION_OF_IDEMPOTENCY_KEYS = defineTask({
  kind: 'retention_of_idempotency_keys',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

/** Removes expired results tenant by tenant, because no role sees more than one tenant's. */
@TaskHandler(RETENTION_OF_IDEMPOTENCY_KEYS)
export class ExpiredIdempotencyKeys implements TaskHandler<object> {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly idempotency: IdempotencyService,
    private readonly metrics: Metrics,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      for (let batch = BATCH; batch === BATCH;) {
        batch = await this.idempotency.forgetExpired({ ...task.ctx, tenantId }, BATCH);
        removed += batch;
        this.metrics.countExpired('idempotency_keys', batch);
        await task.report({ removed });
      }
    }
    return { removed };
  }
}
