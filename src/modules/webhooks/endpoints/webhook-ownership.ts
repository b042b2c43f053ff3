import type { AccountId, DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** Whom an endpoint that the caller makes acts as; an API key counts as its account, within its own list of datasets. */
export function callingAccount({ principal }: RequestContext): {
  readonly accountId: AccountId;
  readonly datasetIds: readonly DatasetId[] | null;
} {
  switch (principal.kind) {
    case 'account':
      return { accountId: principal.accountId, datasetIds: null };
    case 'api_key':
      return { accountId: principal.accountId, datasetIds: principal.datasetIds };
    case 'system':
      throw new TypeError('The service itself has no webhooks.');
  }
}

/**
 * Whether an endpoint acts for the caller. A key with a list of datasets only has those endpoints that are told of nothing beyond its
 * list, or it could learn more through a webhook than by itself.
 */
export function actsForCaller(
  ctx: RequestContext,
  endpoint: Pick<WebhookEndpointEntity, 'account_id' | 'dataset_ids'>,
): boolean {
  const { accountId, datasetIds } = callingAccount(ctx);
  if (endpoint.account_id !== accountId) return false;
  return datasetIds === null || (endpoint.dataset_ids?.every((id) => datasetIds.includes(id)) ?? false);
}
