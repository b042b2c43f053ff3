import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** Visibility of datasets, for accounts, which must not depend on datasets; the datasets module provides it globally. Injection token. */
export abstract class DatasetVisibilityPort {
  /** Resolves if the caller sees all of these datasets, in the transaction of `ctx` if there is one. @throws `datasets.not_found` */
  abstract assertVisible(ctx: RequestContext, ids: readonly DatasetId[]): Promise<void>;
}
