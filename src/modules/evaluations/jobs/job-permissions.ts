import { authErrors, type Permission, type RequestContext } from '#libs/tenancy';

/** What a search, and a chat, need of anyone who lets an evaluation make them. @throws `auth.permission_missing` */
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
