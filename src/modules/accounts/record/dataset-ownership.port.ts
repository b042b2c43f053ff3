import type { AccountId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/**
 * Ownership of the datasets of a tenant, regardless of visibility; the datasets module provides it globally. Injection token. Both work in
 * the transaction of `ctx`, so that a removal and its transfer happen together or not at all.
 */
export abstract class DatasetOwnershipPort {
  /** Number of datasets of the tenant that the account owns, without deleted ones. */
  abstract countOwned(ctx: RequestContext, accountId: AccountId): Promise<number>;
  /** Makes `to` the owner of every dataset of the tenant that `from` owns. */
  abstract transfer(ctx: RequestContext, from: AccountId, to: AccountId): Promise<void>;
}
