import type { AccountId, TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** The account that acts, directly or with its API key. */
export function actingAccount(ctx: RequestContext): AccountId {
  if (ctx.principal.kind === 'system') throw new TypeError('The system has no account.');
  return ctx.principal.accountId;
}

/** The tenant to which lists of the caller's tenants are limited: that of an API key; null: no limit. */
export function onlyTenant(ctx: RequestContext): TenantId | null {
  return ctx.principal.kind === 'account' ? null : ctx.tenantId;
}
