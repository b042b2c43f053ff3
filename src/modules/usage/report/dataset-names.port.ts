import type { RequestContext } from '#libs/tenancy';

/** Names of datasets, for usage, which must not depend on datasets; the datasets module provides it globally. Injection token. */
export abstract class DatasetNames {
  /** Names by id; datasets that the caller does not see are left out. */
  abstract find(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
