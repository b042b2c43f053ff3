import { authErrors, type Permission, type RequestContext } from '#libs/tenancy';

/** Permissions that an evaluation needs for its searches and chats. @throws `auth.permission_missing` */
export function requirePermissions(
  { principal }: RequestContext,
  variants: readonly { readonly chat?: object }[],
): void {
  const needed: Permission[] = ['retrieval:search'];
  if (variants.some(({ chat }) => chat !== undefined)) needed.push('chat:complete');
  for (const permission of needed)
    if (!principal.permissions.has(permission))
      throw authErrors.permission_missing({ permission, kind: principal.kind });
}
