import { describe, expect, it } from 'vitest';
import { newId, NOWHERE_TENANT, type AccountId, type ApiKeyId, type TenantId } from '#libs/common';
import { ROLE_PERMISSIONS, ROLES, type Permission, type RequestContext, type Role } from '#libs/tenancy';
import { requireActingTenant, requireRoleWithinOwn } from './member-rights.js';

function contextWith(permissions: readonly Permission[], tenantId = newId<TenantId>()): RequestContext {
  const principal = {
    kind: 'account',
    accountId: newId<AccountId>(),
    role: null,
    permissions: new Set(permissions),
  } as const;
  return { tenantId, principal, requestId: 'r' };
}

describe('requireRoleWithinOwn', () => {
  const within: Record<Role, readonly Role[]> = {
    viewer: ['viewer'],
    editor: ['viewer', 'editor'],
    auditor: ['viewer', 'auditor'],
    admin: ['viewer', 'editor', 'auditor', 'admin'],
    owner: ['viewer', 'editor', 'auditor', 'admin', 'owner'],
  };

  it.each(ROLES.flatMap((own) => ROLES.map((other) => [own, other, within[own].includes(other)] as const)))(
    '%s over %s: %s',
    (own, other, allowed) => {
      const check = (): void => requireRoleWithinOwn(contextWith(ROLE_PERMISSIONS[own]), other);
      if (allowed) expect(check).not.toThrow();
      else expect(check).toThrow(expect.objectContaining({ code: 'accounts.role_beyond_own', status: 403 }));
    },
  );

  it('lets no API key grant permissions that its scopes do not contain', () => {
    const principal = {
      kind: 'api_key',
      keyId: newId<ApiKeyId>(),
      accountId: newId<AccountId>(),
      role: 'owner',
      permissions: new Set<Permission>(['members:manage']),
      datasetIds: null,
    } as const;
    expect(() => requireRoleWithinOwn({ tenantId: newId(), principal, requestId: 'r' }, 'viewer')).toThrow();
  });
});

describe('requireActingTenant', () => {
  it('accepts the tenant that the caller acts in, in upper and lower case', () => {
    const ctx = contextWith([]);
    expect(() => requireActingTenant(ctx, ctx.tenantId.toUpperCase())).not.toThrow();
  });

  it.each(['', 'x', newId(), NOWHERE_TENANT])('answers 404 for %j', (id) => {
    const expected = expect.objectContaining({ code: 'accounts.tenant_not_found', status: 404 });
    expect(() => requireActingTenant(contextWith([]), id)).toThrow(expected);
  });

  it('answers 404 for the empty placeholder tenant, even to a caller who acts there', () => {
    expect(() => requireActingTenant(contextWith([], NOWHERE_TENANT), NOWHERE_TENANT)).toThrow();
  });
});
