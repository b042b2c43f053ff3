import type { AccountId, DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** The account that a new endpoint of the caller acts as; an API key counts as its account, limited to its own list of datasets. */
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
 * Whether an endpoint acts for the caller. An API key with a list of datasets has only endpoints that get no events beyond its list;
 * otherwise it could learn more through a webhook than by itself.
 */
export function actsForCaller(
  ctx: RequestContext,
  endpoint: Pick<WebhookEndpointEntity, 'account_id' | 'dataset_ids'>,
): boolean {
  const { accountId, datasetIds } = callingAccount(ctx);
  if (endpoint.account_id !== accountId) return false;
  return datasetIds === null || (endpoint.dataset_ids?.every((id) => datasetIds.includes(id)) ?? false);
}
