import type { RequestContext } from '#libs/tenancy';

/** Whether someone may ask tables; who may not is told nothing that only they say. */
export function mayQuery({ principal }: RequestContext): boolean {
  return principal.kind === 'system' || principal.permissions.has('tables:query');
}
