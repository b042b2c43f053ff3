import { isUuid, NOWHERE_TENANT, type TenantId } from '#libs/common';
import type { AuthenticatedAccount, AuthenticatedApiKey } from './authenticator.port.js';
import { intersectPermissions, ROLE_PERMISSIONS } from './permissions.js';
import type { Permission, Principal } from './request-context.js';

/** An account in a tenant as it is now; without a role, and the rights of one, where it is no member. */
export function principalOfAccount(
  account: Omit<AuthenticatedAccount, 'stamp'>,
  tenantId: TenantId | undefined,
): Principal {
  const membership = account.memberships.find((one) => one.tenantId === tenantId);
  const role = membership?.role ?? null;
  const permissions = new Set<Permission>(role === null ? [] : ROLE_PERMISSIONS[role]);
  if (account.platformAdmin) permissions.add('platform:tenants');
  return { kind: 'account', accountId: membership?.accountId ?? account.accountId, role, permissions };
}

/** An API key as it is now; without any right where `isMember` is false. */
export function principalOfKey(key: AuthenticatedApiKey, isMember: boolean): Principal {
  const role = isMember ? key.accountRole : null;
  const permissions = role === null ? new Set<Permission>() : intersectPermissions(role, key.keyRole, key.scopes);
  return {
    kind: 'api_key',
    keyId: key.keyId,
    accountId: key.accountId,
    role,
    permissions,
    datasetIds: key.datasetIds,
  };
}

/** What someone may do in a tenant. */
export interface Standing {
  readonly principal: Principal;
  readonly tenantId: TenantId;
  /** False for a caller who named a tenant it does not belong to. */
  readonly member: boolean;
}

/** Anyone who it is, in a tenant that is named; undefined: the one of a key, else the account's default or first one. */
export function standingIn(identity: AuthenticatedAccount | AuthenticatedApiKey, named: string | undefined): Standing {
  return 'keyId' in identity ? standingOfKey(identity, named) : standingOfAccount(identity, named);
}

function standingOfAccount(account: AuthenticatedAccount, named: string | undefined): Standing {
  const wanted = named?.trim().toLowerCase() ?? account.defaultTenantId ?? undefined;
  const membership = account.memberships.find((m) => m.tenantId === wanted);
  const fallback = named === undefined ? account.memberships[0] : undefined;
  const chosen = membership ?? fallback;
  const principal = principalOfAccount(account, chosen?.tenantId);
  return { principal, tenantId: chosen?.tenantId ?? NOWHERE_TENANT, member: chosen !== undefined };
}

function standingOfKey(key: AuthenticatedApiKey, named: string | undefined): Standing {
  const matches = named === undefined || (isUuid(named.trim()) && named.trim().toLowerCase() === key.tenantId);
  const member = matches && key.accountRole !== null;
  return { principal: principalOfKey(key, member), tenantId: member ? key.tenantId : NOWHERE_TENANT, member };
}
