import { defineTask, readId } from '#libs/tasks';
import type { WebhookId } from '../endpoints/webhook-endpoint.entity.js';

/** What has still to be sent to an endpoint about one subject. */
export interface WebhookDeliveryPayload {
  readonly webhookId: WebhookId;
  /** Subject of the events: a document or a dataset. */
  readonly lane: string;
}

/** Sends the deliveries of a lane one after the other. It is tried until none is left. */
export const WEBHOOK_DELIVERY = defineTask<WebhookDeliveryPayload>({
  kind: 'webhook_delivery',
  longestUnit: 'one attempt (WEBHOOK_TIMEOUT_SECONDS)',
  isSliced: true,
  parse: (payload) => ({ webhookId: readId(payload, 'webhookId') as WebhookId, lane: readId(payload, 'lane') }),
  concurrency: 32,
  mostTries: null,
  isRoutine: true,
});

/** What tasks of a lane are found by. */
export function laneSubject(webhookId: WebhookId, lane: string): string {
  return `${webhookId}:${lane}`;
}
