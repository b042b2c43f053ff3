import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { AuditLog, type TransactionContext } from '#libs/database';
import type { DisabledReason, WebhookId } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository.js';

/** Disables endpoints that must not, or cannot, get events any more. */
@Injectable()
export class EndpointSwitch {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly audit: AuditLog,
    private readonly logger: PinoLogger,
  ) {}

  /** Disables an endpoint and cancels all deliveries that have not been sent. Idempotent. */
  async disable(ctx: TransactionContext, id: WebhookId, reason: DisabledReason): Promise<void> {
    if (!(await this.endpoints.disable(ctx, id, reason))) return;
    const cancelled = await this.endpoints.cancelPending(ctx, id);
    await this.audit.append(ctx, { event: 'webhook.disabled', subject: `webhook:${id}`, details: { reason } });
    this.logger.warn({ webhookId: id, reason, cancelled }, 'webhook.disabled');
  }
}
