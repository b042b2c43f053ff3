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
   * @remarks Sends `webhook.test` once, even if the webhook is disabled; the delivery log shows the outcome. The delivery counts neither as a
   * success nor as a failure of the webhook, unless the receiver answers 410. Only for the account that the webhook acts for.
   */
  @Post(':id/test')
  @HttpCode(202)
  @ApiOperation({ operationId: 'testWebhook' })
  test(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<WebhookDelivery> {
    return this.deliveries.test(ctx, id);
  }

  /**
   * List deliveries.
   * @remarks The delivery log of the webhook, newest first: events sent, events waiting, and the outcome of each attempt. Events of datasets
   * that the caller does not see are left out. An ended delivery is removed from the log after `WEBHOOK_DELIVERIES_KEPT_DAYS`.
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
   * @remarks The delivery with its last 20 attempts and its payload. Deliveries about datasets that the caller does not see are not found.
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
   * @remarks Sends the event again with the same `webhook-id`, from the beginning of the schedule, whatever its status; later events of the
   * same document that have not been sent wait for it. A delivery that is being sent at this moment is not changed. Only for the account that
   * the webhook acts for.
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
