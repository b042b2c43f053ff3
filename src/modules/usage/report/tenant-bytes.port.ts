import type { RequestContext } from '#libs/tenancy';

/** Storage used by the files of a tenant. Implemented by documents. */
export abstract class TenantBytes {
  /** Size of the originals in bytes, all revisions together. */
  abstract sum(ctx: RequestContext): Promise<number>;
}
