import type { Recipes } from '../request-recipe.js';
import { UNHEARD_WEBHOOK } from '../unheard-webhook.js';
import type { Target, World } from '../world.js';

async function freshWebhook({ owner }: World): Promise<Partial<Target>> {
  return { webhook: (await owner.client.post<{ id: string }>('/webhooks', UNHEARD_WEBHOOK)).id };
}

/** Webhooks belong to the tenant: anyone who manages webhooks there sees them. */
export const WEBHOOKS: Recipes = {
  'POST /webhooks': { subject: 'create', parts: () => ({ body: UNHEARD_WEBHOOK }) },
  'GET /webhooks': { subject: 'list' },
  'GET /webhooks/{id}': { subject: 'tenant' },
  'PATCH /webhooks/{id}': { subject: 'tenant', parts: () => ({ body: { description: 'Made by the matrix' } }) },
  'DELETE /webhooks/{id}': { subject: 'tenant', fresh: freshWebhook },
  'POST /webhooks/{id}/rotate-secret': { subject: 'tenant' },
  'POST /webhooks/{id}/test': { subject: 'tenant' },
  'GET /webhooks/{id}/deliveries': { subject: 'tenant' },
  'GET /webhooks/{id}/deliveries/{delivery_id}': { subject: 'tenant' },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': { subject: 'tenant' },
};
