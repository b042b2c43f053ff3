import { Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from './target/host-resolver.js';
import { TargetCheck } from './target/target-check.js';
import { WebhookDeliveriesRepository } from './endpoints/webhook-deliveries.repository.js';
import { WebhookEndpointsRepository } from './endpoints/webhook-endpoints.repository.js';

/** What routes and deliveries both stand on. */
@Module({
  providers: [
    { provide: HostResolver, useClass: SystemHostResolver },
    TargetCheck,
    WebhookEndpointsRepository,
    WebhookDeliveriesRepository,
  ],
  exports: [TargetCheck, WebhookEndpointsRepository, WebhookDeliveriesRepository],
})
export class WebhookTargetsModule {}
