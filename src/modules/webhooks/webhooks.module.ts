import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookTargetsModule } from './webhook-targets.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Webhooks as the interface knows them. */
@Module({
  imports: [DatasetsModule, WebhookTargetsModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
