import type { AccountId, ApiKeyId, TenantId } from '#libs/common';
import type { Principal } from './request-context.js';

/** Who asked for something that is done later: ids only, so that rights are those of when it is done. */
export type PrincipalReference =
  { readonly kind: 'account'; readonly accountId: AccountId } | { readonly kind: 'api_key'; readonly keyId: ApiKeyId };

/** Tells what someone may do now, without a credential of theirs. */
export abstract class PresentPrincipals {
  /** With the rights of this moment in the tenant; null for one who is gone, disabled, expired, or no member any more. */
  abstract find(tenantId: TenantId, reference: PrincipalReference): Promise<Principal | null>;
}
