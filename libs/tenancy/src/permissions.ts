import type { Permission, Role } from './request-context.js';

const VIEWER: readonly Permission[] = [
  'datasets:read',
  'documents:read',
  'retrieval:search',
  'chat:complete',
  'tables:query',
];
const EDITOR: readonly Permission[] = [
  ...VIEWER,
  'datasets:write',
  'documents:write',
  'policies:write',
  'scans:run',
  'kg:run',
  'evaluations:run',
];
const AUDITOR: readonly Permission[] = [...VIEWER, 'governance:read', 'audit:read'];
const ADMIN: readonly Permission[] = [
  ...EDITOR,
  'governance:read',
  'governance:write',
  'audit:read',
  'conversations:review',
  'webhooks:manage',
  'members:manage',
  'tenant:observability',
];
const OWNER: readonly Permission[] = [...ADMIN, 'tenant:manage'];

/** What each role may do (contract, section 2). */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: VIEWER,
  editor: EDITOR,
  auditor: AUDITOR,
  admin: ADMIN,
  owner: OWNER,
};

export const ROLES = ['viewer', 'editor', 'auditor', 'admin', 'owner'] as const satisfies readonly Role[];

/** Permissions that an API key may carry as a scope: all that a role can give. */
export const SCOPES: readonly Permission[] = OWNER.concat([]);

/** The rights of an API key: what its account may do now, its own role and its scopes, all three at once. */
export function intersectPermissions(
  accountRole: Role,
  keyRole: Role | null,
  scopes: readonly string[],
): ReadonlySet<Permission> {
  const allowed = new Set(ROLE_PERMISSIONS[accountRole]);
  const byRole = new Set(ROLE_PERMISSIONS[keyRole ?? accountRole]);
  return new Set(ROLE_PERMISSIONS.owner.filter((p) => allowed.has(p) && byRole.has(p) && scopes.includes(p)));
}
