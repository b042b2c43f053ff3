/** Tenants that a message names. */
const MOST_NAMED = 20;

/** Tenants to choose from, as a message names them: id and name of each. */
export function renderTenants(tenants: readonly { readonly tenant_id: string; readonly name: string }[]): string {
  const named = tenants.slice(0, MOST_NAMED).map(({ tenant_id: id, name }) => `${id} (${name})`);
  const left = tenants.length - named.length;
  return [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
