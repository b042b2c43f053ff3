import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhookTargetsModule } from './webhook-targets.module.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhooksService } from './endpoints/webhooks.service.js';

/** The routes of webhooks. */
@Module({
  imports: [DatasetsModule, WebhookTargetsModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
