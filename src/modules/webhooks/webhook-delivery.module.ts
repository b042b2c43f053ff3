import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { DatasetsModule } from '../datasets/index.js';
import { DeliveryAttempts } from './delivery/delivery-attempts.service.js';
import { DeliveryRules } from './delivery/delivery-rules.js';
import { EndpointStanding } from './delivery/endpoint-standing.service.js';
import { EndpointSwitch } from './delivery/endpoint-switch.service.js';
import { EventRecorder } from './delivery/event-recorder.service.js';
import { ExpiredDeliveries } from './delivery/expired-deliveries.task.js';
import { WebhookDeliveryRun } from './delivery/webhook-delivery-run.task.js';
import { Sending } from './delivery/sending.service.js';
import { WebhookSender } from './delivery/webhook-sender.service.js';
import { WebhookTargetsModule } from './webhook-targets.module.js';

/** The part of webhooks in workers: records events and sends them. */
@Module({
  imports: [DatasetsModule, WebhookTargetsModule],
  providers: [
    {
      provide: DeliveryRules,
      inject: [Settings],
      useFactory: ({ values }: Settings) => new DeliveryRules(values.webhookTimeoutSeconds * 1000),
    },
    WebhookSender,
    Sending,
    DeliveryAttempts,
    EndpointStanding,
    EndpointSwitch,
    EventRecorder,
    WebhookDeliveryRun,
    ExpiredDeliveries,
  ],
})
export class WebhookDeliveryModule {}
