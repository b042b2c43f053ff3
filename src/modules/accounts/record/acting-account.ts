import type { AccountId, TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** The account that acts, by itself or through its API key. */
export function actingAccount(ctx: RequestContext): AccountId {
  if (ctx.principal.kind === 'system') throw new TypeError('The system has no account.');
  return ctx.principal.accountId;
}

/** The tenant that lists of the caller's tenants are limited to: that of an API key; null for none. */
export function onlyTenant(ctx: RequestContext): TenantId | null {
  return ctx.principal.kind === 'account' ? null : ctx.tenantId;
}
