import type { AccountId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** The account that acts, by itself or through its API key. */
export function actingAccount(ctx: RequestContext): AccountId {
  if (ctx.principal.kind === 'system') throw new TypeError('The system has no account.');
  return ctx.principal.accountId;
}
