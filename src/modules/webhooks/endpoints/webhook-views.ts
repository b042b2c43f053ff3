import type { Webhook } from './webhook.dto.js';
import type { WebhookDelivery } from './webhook-delivery.dto.js';
import type { DeliveryRow } from './webhook-deliveries.repository.js';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** An endpoint for responses, without its secrets. */
export function toWebhook(row: WebhookEndpointEntity): Webhook {
  return {
    id: row.id,
    account_id: row.account_id,
    dataset_ids: row.dataset_ids === null ? null : [...row.dataset_ids],
    url: row.url,
    events: [...row.events],
    description: row.description,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    former_secret_expires_at: formerSecretUntil(row, new Date())?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Time until which the former secret also signs; null: it no longer does. */
export function formerSecretUntil(
  { former_secret_until: until }: Pick<WebhookEndpointEntity, 'former_secret_until'>,
  now: Date,
): Date | null {
  return until !== null && until > now ? until : null;
}

export function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event_type,
    status: row.status,
    error_code: row.error_code,
    attempt_count: row.attempt_count,
    attempts: row.attempts.map((attempt) => ({ ...attempt })),
    status_code: row.attempts.at(-1)?.status_code ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    payload: JSON.parse(row.body) as object,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
