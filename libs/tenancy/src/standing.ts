import type { TenantId } from '#libs/common';
import type { AuthenticatedAccount, AuthenticatedApiKey } from './authenticator.port.js';
import { intersectPermissions, ROLE_PERMISSIONS } from './permissions.js';
import type { Permission, Principal } from './request-context.js';

/** An account in a tenant as it stands now; without a role, and the rights of one, where it is no member. */
export function principalOfAccount(account: AuthenticatedAccount, tenantId: TenantId | undefined): Principal {
  const membership = account.memberships.find((one) => one.tenantId === tenantId);
  const role = membership?.role ?? null;
  const permissions = new Set<Permission>(role === null ? [] : ROLE_PERMISSIONS[role]);
  if (account.platformAdmin) permissions.add('platform:tenants');
  return { kind: 'account', accountId: membership?.accountId ?? account.accountId, role, permissions };
}

/** An API key as it stands now; without any right where `isMember` is false. */
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
