import { isUuid, NOWHERE_TENANT } from '#libs/common';
import { ROLE_PERMISSIONS, type RequestContext, type Role } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';

/** The tenant of the path must be the one the caller acts in. @throws `accounts.tenant_not_found` */
export function requireActingTenant(ctx: RequestContext, tenantId: string): void {
  const same = isUuid(tenantId) && tenantId.toLowerCase() === ctx.tenantId;
  if (!same || ctx.tenantId === NOWHERE_TENANT) throw accountErrors.tenant_not_found({});
}

/**
 * Whether everything that the role may do lies within what the caller may do now. For an account this compares roles; an
 * API key must hold all of it by its scopes, else a key with `members:manage` alone could make itself an owner.
 */
export function holdsAllOf(ctx: RequestContext, role: Role): boolean {
  return ROLE_PERMISSIONS[role].every((permission) => ctx.principal.permissions.has(permission));
}

/** No one grants, changes or removes a role above his own. @throws `accounts.role_beyond_own` */
export function requireRoleWithinOwn(ctx: RequestContext, role: Role): void {
  if (!holdsAllOf(ctx, role)) throw accountErrors.role_beyond_own({ role });
}
