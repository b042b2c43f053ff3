import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** What accounts asks about datasets without knowing them; the datasets module provides it globally. Injection token. */
export abstract class DatasetVisibilityPort {
  /** Resolves when the caller sees every one of them, in the transaction of `ctx` if there is one. @throws `datasets.not_found` */
  abstract assertVisible(ctx: RequestContext, ids: readonly DatasetId[]): Promise<void>;
}
