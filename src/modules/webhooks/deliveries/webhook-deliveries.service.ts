import { Injectable } from '@nestjs/common';
import { isUuid, newId, type Page } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { ListDeliveriesQuery, WebhookDelivery } from '../endpoints/webhook-delivery.dto.js';
import { WEBHOOK_DELIVERY, laneSubject } from './webhook-delivery.task.js';
import { WebhookDeliveriesRepository, type DeliveryRow } from '../endpoints/webhook-deliveries.repository.js';
import type { WebhookId } from '../endpoints/webhook-endpoint.entity.js';
import { TEST_EVENT } from '../endpoints/webhook-events.js';
import { messageBody } from './webhook-message.js';
import { toDelivery } from '../endpoints/webhook-views.js';
import { webhookErrors } from '../webhooks.errors.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';

/** The delivery log of an endpoint, and deliveries that callers request. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly datasets: DatasetAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
  ) {}

  /** Deliveries of events about datasets that the caller sees. @throws `webhooks.not_found` */
  async list(
    ctx: RequestContext,
    id: string,
    query: ListDeliveriesQuery,
  ): Promise<Page<WebhookDelivery> & { items: WebhookDelivery[] }> {
    const endpoint = await this.webhooks.require(ctx, id);
    const page = await this.deliveries.list(ctx, endpoint.id, query, (from) => this.sight(ctx, from));
    return { ...page, items: page.items.map(toDelivery) };
  }

  /** @throws `webhooks.not_found`, `webhooks.delivery_not_found` */
  async get(ctx: RequestContext, id: string, deliveryId: string): Promise<WebhookDelivery> {
    const endpoint = await this.webhooks.require(ctx, id);
    return toDelivery(await this.requireDelivery(ctx, endpoint.id, deliveryId));
  }

  /** Sends a test event once, even if the endpoint is disabled. @throws `webhooks.not_found`, `webhooks.acts_for_another` */
  async test(ctx: RequestContext, id: string): Promise<WebhookDelivery> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const endpoint = await this.webhooks.requireOwned(inner, id);
      const lane = newId();
      const body = messageBody(TEST_EVENT, new Date(), { tenant_id: ctx.tenantId, webhook_id: endpoint.id });
      const event = { eventId: newId(), seq: '0', type: TEST_EVENT, lane, datasetIds: [], body };
      const [made] = await this.deliveries.insert(inner, event, [endpoint.id]);
      await this.tasks.promise(inner, WEBHOOK_DELIVERY, { webhookId: endpoint.id, lane });
      return toDelivery(await this.requireDelivery(inner, endpoint.id, made!.id));
    });
  }

  /**
   * Sends an event again with the same id, from the beginning of the schedule; later events of its document that have not been sent wait
   * for it. @throws `webhooks.not_found`, `webhooks.acts_for_another`, `webhooks.delivery_not_found`, `webhooks.disabled`
   */
  async redeliver(ctx: RequestContext, id: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const endpoint = await this.webhooks.requireOwned(inner, id);
      const delivery = await this.requireDelivery(inner, endpoint.id, deliveryId);
      if (!endpoint.enabled && delivery.event_type !== TEST_EVENT) throw webhookErrors.disabled({});
      const restarted = await this.deliveries.restart(inner, endpoint.id, delivery.id);
      if (restarted !== undefined) {
        const { lane } = restarted;
        const subject = laneSubject(endpoint.id, lane);
        await this.tasks.promise(inner, WEBHOOK_DELIVERY, { webhookId: endpoint.id, lane }, { subject, once: true });
      }
      return toDelivery(await this.requireDelivery(inner, endpoint.id, deliveryId));
    });
  }

  private async requireDelivery(ctx: RequestContext, endpointId: WebhookId, id: string): Promise<DeliveryRow> {
    const row = isUuid(id)
      ? await this.deliveries.find(ctx, endpointId, id, (from) => this.sight(ctx, from))
      : undefined;
    if (row === undefined) throw webhookErrors.delivery_not_found({});
    return row;
  }

  private sight(ctx: RequestContext, from: number): ReturnType<DatasetAccess['sightCondition']> {
    return this.datasets.sightCondition(ctx, 'd', from);
  }
}
