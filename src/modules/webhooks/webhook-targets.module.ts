import { Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from './target/host-resolver.service.js';
import { TargetCheck } from './target/target-check.service.js';
import { WebhookDeliveriesRepository } from './endpoints/webhook-deliveries.repository.js';
import { WebhookEndpointsRepository } from './endpoints/webhook-endpoints.repository.js';

/** What routes and deliveries both rest on. */
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
