import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Metrics } from '#libs/metrics';
import { SealBroken, SecretsBox } from '#libs/secrets';
import type { LaneHead } from '../endpoints/webhook-deliveries.repository.js';
import type { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { sealedFor, signMessage } from '../endpoints/webhook-secret.js';
import { formerSecretUntil } from '../endpoints/webhook-views.js';
import { failed, WebhookSender, type SendResult } from './webhook-sender.service.js';

/** Decrypts the secrets of an endpoint, signs a message and sends it. */
@Injectable()
export class Sending {
  constructor(
    private readonly sender: WebhookSender,
    private readonly box: SecretsBox,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {}

  async send(endpoint: WebhookEndpointEntity, head: LaneHead, signal: AbortSignal): Promise<SendResult> {
    const began = performance.now();
    const result = await this.signAndSend(endpoint, head, signal);
    const outcome = result.error === null ? 'ok' : 'error';
    const call = { dependency: 'webhook', kind: 'http', operation: 'deliver', outcome } as const;
    this.metrics.observeCall(call, (performance.now() - began) / 1000);
    const { error, statusCode } = result;
    this.logger.debug({ webhookId: endpoint.id, deliveryId: head.id, error, statusCode }, 'webhook.attempt');
    return result;
  }

  private async signAndSend(endpoint: WebhookEndpointEntity, head: LaneHead, signal: AbortSignal): Promise<SendResult> {
    const now = new Date();
    const secrets = this.secretsOf(endpoint, now);
    if (secrets === null) return failed('SECRET_UNREADABLE');
    const headers = signMessage(head.id, now, head.body, secrets);
    return this.sender.send({ url: endpoint.url, headers, body: head.body }, signal);
  }

  /** The present secret and, while it is valid, the former one; null when the present one cannot be decrypted. */
  private secretsOf(endpoint: WebhookEndpointEntity, now: Date): readonly string[] | null {
    const about = sealedFor(endpoint.id);
    try {
      const present = this.box.open(endpoint.secret, about);
      const { former_secret: former } = endpoint;
      if (former === null || formerSecretUntil(endpoint, now) === null) return [present];
      return [present, this.box.open(former, about)];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.logger.error({ webhookId: endpoint.id, err: error }, 'webhook.secret_unreadable');
      return null;
    }
  }
}
