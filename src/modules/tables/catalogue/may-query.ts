import type { RequestContext } from '#libs/tenancy';

/** Whether the caller may query tables; otherwise nothing is shown that only tables contain. */
export function mayQuery({ principal }: RequestContext): boolean {
  return principal.kind === 'system' || principal.permissions.has('tables:query');
}
