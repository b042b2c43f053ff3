import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { UnitOfWork } from '#libs/database';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, Tasks, withoutPayload, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { WEBHOOK_DELIVERY, laneSubject } from '../deliveries/webhook-delivery.task.js';
import { WebhookDeliveriesRepository } from '../endpoints/webhook-deliveries.repository.js';

/** Rows that one statement removes. */
const BATCH = 1_000;
const HOUR_SECONDS = 3_600;

/** Hourly: deliveries that ended more than WEBHOOK_DELIVERIES_KEPT_DAYS ago leave the logs. */
export const RETENTION_OF_WEBHOOK_DELIVERIES = defineTask({
  kind: 'retention_of_webhook_deliveries',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

/**
 * Removes what is too old, or too much, from the logs of endpoints, tenant by tenant, because no role sees more than one tenant's; and
 * promises the sending of what should long have been sent, should its promise have got lost.
 */
@TaskHandler(RETENTION_OF_WEBHOOK_DELIVERIES)
export class ExpiredDeliveries implements TaskHandler<object> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly tenants: TenantDirectory,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly tasks: Tasks,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      const ctx: RequestContext = { ...task.ctx, tenantId };
      for (let batch = BATCH; batch >= BATCH;) {
        batch = await this.deliveries.removeEnded(ctx, this.settings.values.webhookDeliveriesKeptDays, BATCH);
        removed += batch;
        this.metrics.countExpired('webhook_deliveries', batch);
        await task.report({ removed });
      }
      await this.promiseForgotten(ctx);
    }
    return { removed };
  }

  private async promiseForgotten(ctx: RequestContext): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      for (const { endpoint_id: webhookId, lane } of await this.deliveries.listForgotten(inner, BATCH)) {
        const subject = laneSubject(webhookId, lane);
        await this.tasks.promise(inner, WEBHOOK_DELIVERY, { webhookId, lane }, { subject, once: true });
      }
    });
  }
}
