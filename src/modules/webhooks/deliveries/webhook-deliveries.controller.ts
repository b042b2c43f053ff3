import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ListDeliveriesQuery, WebhookDelivery, WebhookDeliveryPage } from '../endpoints/webhook-delivery.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@ApiTags('Webhooks')
@Controller('webhooks')
@Permit('webhooks:manage')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  /**
   * Send a test event.
   * @remarks Sends `webhook.test` once, also while the webhook is off; the log says how it went. It counts neither for nor against
   * the webhook, unless the receiver answers 410. For the account that the webhook acts for.
   */
  @Post(':id/test')
  @HttpCode(202)
  @ApiOperation({ operationId: 'testWebhook' })
  test(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<WebhookDelivery> {
    return this.deliveries.test(ctx, id);
  }

  /**
   * List deliveries.
   * @remarks The log of the webhook, newest first: what was sent, what waits, how each attempt went. Events of datasets that the caller does
   * not see are left out. A delivery that has ended leaves the log after `WEBHOOK_DELIVERIES_KEPT_DAYS`.
   */
  @Get(':id/deliveries')
  @ApiOperation({ operationId: 'listWebhookDeliveries' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<WebhookDeliveryPage> {
    return this.deliveries.list(ctx, id, query);
  }

  /**
   * Read a delivery.
   * @remarks With its last 20 attempts and what is sent. Deliveries about datasets that the caller does not see are not found.
   */
  @Get(':id/deliveries/:delivery_id')
  @ApiOperation({ operationId: 'getWebhookDelivery' })
  get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<WebhookDelivery> {
    return this.deliveries.get(ctx, id, deliveryId);
  }

  /**
   * Deliver an event again.
   * @remarks Under the same `webhook-id`, from the beginning of the schedule, whatever became of it before; later events of its document
   * that are not sent yet wait for it. One that is being sent at this moment stays as it is. For the account that the webhook acts for.
   */
  @Post(':id/deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  @ApiOperation({ operationId: 'redeliverWebhookDelivery' })
  redeliver(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<WebhookDelivery> {
    return this.deliveries.redeliver(ctx, id, deliveryId);
  }
}
