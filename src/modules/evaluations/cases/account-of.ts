import type { AccountId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** The account of the principal, also of an API key; null for the service itself. */
export function accountOf({ principal }: RequestContext): AccountId | null {
  return principal.kind === 'system' ? null : principal.accountId;
}
