/** Events to which an endpoint can subscribe. */
export const WEBHOOK_EVENTS = [
  'document.completed',
  'document.completed_with_warnings',
  'document.failed',
  'document.quarantined',
  'document.cancelled',
  'document.deleted',
  'dataset.purged',
  'policy.version_created',
  'scan.completed',
  'kg.completed',
  'evaluation.completed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The event that `POST /webhooks/{id}/test` sends; endpoints cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';
