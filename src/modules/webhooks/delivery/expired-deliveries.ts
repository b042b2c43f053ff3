import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, Tasks, withoutPayload, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { WEBHOOK_DELIVERY, laneSubject } from '../deliveries/webhook-delivery.task.js';
import { WebhookDeliveryEntity } from '../endpoints/webhook-delivery.entity.js';

/** Rows that one statement removes. */
const BATCH = 1_000;
const HOUR_SECONDS = 3_600;
/** Deliveries that have ended which the log of an endpoint keeps, however young they are. */
const MOST_OF_ENDPOINT = 10_000;

/** Hourly: deliveries that ended more than WEBHOOK_DELIVERIES_KEPT_DAYS ago leave the logs. */
export const RETENTION_OF_WEBHOOK_DELIVERIES = defineTask({
  kind: 'retention_of_webhook_deliveries',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

const REMOVED = columnsOf(WebhookDeliveryEntity, 'id');
const REMOVE_OLD = statement(
  REMOVED,
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT id FROM webhook_deliveries WHERE ended_at < now() - make_interval(days => $1) ORDER BY ended_at LIMIT $2)
   RETURNING id`,
);
const REMOVE_BEYOND = statement(
  REMOVED,
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT v.id FROM webhook_endpoints e CROSS JOIN LATERAL (
       SELECT id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.ended_at IS NOT NULL
       ORDER BY d.created_at DESC, d.id DESC OFFSET $1::int LIMIT $2::int) v LIMIT $2::int)
   RETURNING id`,
);
const LIST_FORGOTTEN = statement(
  columnsOf(WebhookDeliveryEntity, 'endpoint_id', 'lane'),
  `SELECT DISTINCT endpoint_id, lane FROM webhook_deliveries
   WHERE status = 'pending' AND next_attempt_at < now() - interval '15 minutes' LIMIT $1`,
);

/**
 * Removes what is too old, or too much, from the logs of endpoints, tenant by tenant, because no role sees more than one tenant's; and
 * promises the sending of what should long have been sent, should its promise have got lost.
 */
@TaskHandler(RETENTION_OF_WEBHOOK_DELIVERIES)
export class ExpiredDeliveries extends TenantRepository implements TaskHandler<object> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tenants: TenantDirectory,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly tasks: Tasks,
  ) {
    super(unitOfWork);
  }

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      const ctx: RequestContext = { ...task.ctx, tenantId };
      for (let batch = BATCH; batch >= BATCH;) {
        batch = await this.removeBatch(ctx);
        removed += batch;
        this.metrics.countExpired('webhook_deliveries', batch);
        await task.report({ removed });
      }
      await this.promiseForgotten(ctx);
    }
    return { removed };
  }

  private async removeBatch(ctx: RequestContext): Promise<number> {
    const old = await this.query(ctx, REMOVE_OLD, [this.settings.values.webhookDeliveriesKeptDays, BATCH]);
    const beyond = await this.query(ctx, REMOVE_BEYOND, [MOST_OF_ENDPOINT, BATCH]);
    return old.length + beyond.length;
  }

  private async promiseForgotten(ctx: RequestContext): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      for (const { endpoint_id: webhookId, lane } of await this.query(inner, LIST_FORGOTTEN, [BATCH])) {
        const subject = laneSubject(webhookId, lane);
        await this.tasks.promise(inner, WEBHOOK_DELIVERY, { webhookId, lane }, { subject, once: true });
      }
    });
  }
}
