import type { RequestContext } from '#libs/tenancy';

/** What usage asks about datasets without knowing them; the datasets module provides it globally. Injection token. */
export abstract class DatasetNames {
  /** Names by id, of those datasets that the caller sees; of the others nothing. */
  abstract find(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
