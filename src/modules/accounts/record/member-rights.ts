import { isUuid, NOWHERE_TENANT } from '#libs/common';
import { ROLE_PERMISSIONS, type RequestContext, type Role } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';

/** The tenant of the path must be the one the caller acts in. @throws `accounts.tenant_not_found` */
export function requireActingTenant(ctx: RequestContext, tenantId: string): void {
  const same = isUuid(tenantId) && tenantId.toLowerCase() === ctx.tenantId;
  if (!same || ctx.tenantId === NOWHERE_TENANT) throw accountErrors.tenant_not_found({});
}

/**
 * Whether the caller has all permissions of the role now. For an account this compares roles; an API key must have all of them in its
 * scopes, otherwise a key with only `members:manage` could make itself an owner.
 */
export function holdsAllOf(ctx: RequestContext, role: Role): boolean {
  return ROLE_PERMISSIONS[role].every((permission) => ctx.principal.permissions.has(permission));
}

/** Refuses to grant, change or remove a role above the caller's own. @throws `accounts.role_beyond_own` */
export function requireRoleWithinOwn(ctx: RequestContext, role: Role): void {
  if (!holdsAllOf(ctx, role)) throw accountErrors.role_beyond_own({ role });
}
