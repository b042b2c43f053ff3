import { defineTask, readId } from '#libs/tasks';
import type { WebhookId } from '../endpoints/webhook-endpoint.entity.js';

/** Payload: a lane, which is an endpoint and a subject. */
export interface WebhookDeliveryPayload {
  readonly webhookId: WebhookId;
  /** Subject of the events: a document or a dataset. */
  readonly lane: string;
}

/** Sends the deliveries of a lane one after another. The task is repeated until none is left. */
export const WEBHOOK_DELIVERY = defineTask<WebhookDeliveryPayload>({
  kind: 'webhook_delivery',
  longestUnit: 'one attempt (WEBHOOK_TIMEOUT_SECONDS)',
  isSliced: true,
  parse: (payload) => ({ webhookId: readId(payload, 'webhookId') as WebhookId, lane: readId(payload, 'lane') }),
  concurrency: 32,
  mostTries: null,
  isRoutine: true,
});

/** The key by which tasks of a lane are found. */
export function laneSubject(webhookId: WebhookId, lane: string): string {
  return `${webhookId}:${lane}`;
}
