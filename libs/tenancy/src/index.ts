export { AccessWatch, type WatchedAccess } from './access-watch.js';
export {
  Authenticator,
  type AuthenticatedAccount,
  type AuthenticatedApiKey,
  type Membership,
  type RefusedCredential,
  type TokenRefusal,
} from './authenticator.port.js';
export {
  NO_BEARER,
  CredentialResolver,
  resolveCredentials,
  type IdentifiedRequest,
  type Identity,
} from './credential-resolver.js';
export { FromClient, type Client } from './client.js';
export { networkOf, prefixOf } from './network-of.js';
export { intersectPermissions, ROLE_PERMISSIONS, ROLES, SCOPES } from './permissions.js';
export { PresentPrincipals, type PrincipalReference } from './present-principals.port.js';
export { principalOfAccount, principalOfKey } from './standing.js';
export { PrincipalGuard } from './principal.guard.js';
export type { HeldAccess, Permission, Principal, RequestContext, Role, TransactionHandle } from './request-context.js';
export {
  accessOf,
  Ctx,
  FromSession,
  OptionalCtx,
  Permit,
  Public,
  type ContextRequest,
  type OutsiderAnswer,
  type RouteAccess,
} from './route-access.js';
export { RouteFact } from './route-config.js';
export { RefusedCredentials, REFUSED_WINDOW_SECONDS } from './refused-credentials.js';
export { SecurityModule } from './security.module.js';
export { SecurityLog, type SecurityEvent, type SecurityFacts } from './security-log.js';
export { authErrors } from './tenancy.errors.js';
export { AccessWatchModule, TenancyModule } from './tenancy.module.js';
