import type { DatasetId, TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Reference to one index: the chunks of one dataset in one embedding space. Its constructor is private and its only maker needs a
 * `RequestContext`, so a search without a tenant does not type-check.
 */
class IndexRef {
  /** Private, so that no object of the same shape passes for a reference. */
  readonly #key: string;

  private constructor(
    readonly tenantId: TenantId,
    readonly datasetId: DatasetId,
    /** Which embedding made the vectors, e.g. `hashing-v1-384`; vectors of two spaces never lie in one index. */
    readonly spaceId: string,
  ) {
    this.#key = `${tenantId}/${datasetId}/${spaceId}`;
  }

  /** A text that differs for every two indexes; for maps and log lines, not a file or index name. */
  get key(): string {
    return this.#key;
  }

  static of(ctx: RequestContext, datasetId: DatasetId, spaceId: string): IndexRef {
    if (!SPACE_ID.test(spaceId)) {
      throw new Error(`An embedding space is named by 1-100 of A-Z a-z 0-9 . _ -, not by ${JSON.stringify(spaceId)}`);
    }
    return new IndexRef(ctx.tenantId, datasetId, spaceId);
  }

  /** True for what `indexRef` made, at run time too. */
  static isIndexRef(value: object): value is IndexRef {
    return #key in value;
  }
}

export type { IndexRef };

/** The index of a dataset in an embedding space, within the tenant of `ctx`. Makes nothing; see `VectorStore.ensureIndex`. */
export function indexRef(ctx: RequestContext, datasetId: DatasetId, spaceId: string): IndexRef {
  return IndexRef.of(ctx, datasetId, spaceId);
}

/** True for a reference that came from `indexRef`; adapters refuse anything else. */
export function isIndexRef(value: object): value is IndexRef {
  return IndexRef.isIndexRef(value);
}
