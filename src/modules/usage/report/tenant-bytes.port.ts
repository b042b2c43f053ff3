import type { RequestContext } from '#libs/tenancy';

/** What the files of a tenant take; documents know. */
export abstract class TenantBytes {
  /** Bytes of the original files, all revisions together. */
  abstract sum(ctx: RequestContext): Promise<number>;
}
