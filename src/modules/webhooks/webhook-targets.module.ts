import { Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from './target/host-resolver.service.js';
import { TargetCheck } from './target/target-check.service.js';
import { WebhookDeliveriesRepository } from './endpoints/webhook-deliveries.repository.js';
import { WebhookEndpointsRepository } from './endpoints/webhook-endpoints.repository.js';

/** Providers that both routes and deliveries need. */
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
