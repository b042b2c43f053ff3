import type { TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** The context of background work: the tenant and the request of a task, with the service itself as the principal. */
export function systemContext(tenantId: string, requestId: string): RequestContext {
  return { tenantId: tenantId as TenantId, principal: { kind: 'system', permissions: new Set() }, requestId };
}
