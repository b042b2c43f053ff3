export {
  Authenticator,
  type AuthenticatedAccount,
  type AuthenticatedApiKey,
  type Membership,
} from './authenticator.port.js';
export { intersectPermissions, ROLE_PERMISSIONS, ROLES, SCOPES } from './permissions.js';
export { PrincipalGuard } from './principal.guard.js';
export type { Permission, Principal, RequestContext, Role, TransactionHandle } from './request-context.js';
export {
  Ctx,
  Permit,
  Public,
  PUBLIC_ROUTE,
  ROUTE_ACCESS,
  type ContextRequest,
  type OutsiderAnswer,
  type RouteAccess,
} from './route-access.js';
export { authErrors } from './tenancy.errors.js';
export { TenancyModule } from './tenancy.module.js';
