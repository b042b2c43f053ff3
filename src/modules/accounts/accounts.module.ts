import { Global, Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Settings, type SettingsValues } from '#libs/config';
import { AuditLog } from '#libs/database';
import { Authenticator, PresentPrincipals, SecurityModule } from '#libs/tenancy';
import { AccessTokenVerifiers } from './sessions/access-token-verifiers.service.js';
import { AccessTokens } from './sessions/access-tokens.service.js';
import { AccountAuthenticator } from './sessions/account-authenticator.service.js';
import { AccountPrincipals } from './sessions/account-principals.service.js';
import { AccountsBootstrap } from './bootstrap/accounts-bootstrap.service.js';
import { AccountsRecovery } from './bootstrap/accounts-recovery.service.js';
import { AccountsRepository } from './record/accounts.repository.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { CookieSessionsService } from './sessions/cookie-sessions.service.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { HomeTenant } from './credentials/home-tenant.service.js';
import { LoginOriginsRepository } from './sessions/login-origins.repository.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { LoginCredentials } from './sessions/login-credentials.service.js';
import { LoginRecords } from './sessions/login-records.service.js';
import { LoginThrottle } from './sessions/login-throttle.service.js';
import { MemberDirectory } from './members/member-directory.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './record/members.repository.js';
import { MembersService } from './members/members.service.js';
import { ClaimWarnings } from './oidc/claim-warnings.js';
import { OidcAccounts } from './oidc/oidc-accounts.service.js';
import { OidcCodeFlow } from './oidc/oidc-code-flow.service.js';
import { OidcIdentitiesRepository } from './identities/oidc-identities.repository.js';
import { OidcSignInController } from './oidc/oidc-sign-in.controller.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OidcTokens, type OidcIssuer } from './oidc/oidc-tokens.js';
import { ProvenAddresses } from './oidc/proven-addresses.service.js';
import { OwnAccountController } from './people/own-account.controller.js';
import { OwnAccountService } from './people/own-account.service.js';
import { OwnSessionsController } from './sessions/own-sessions.controller.js';
import { OwnSessionsRepository } from './sessions/own-sessions.repository.js';
import { OwnSessionsService } from './sessions/own-sessions.service.js';
import { OwnInvitationsController } from './invitations/own-invitations.controller.js';
import { OwnInvitationsService } from './invitations/own-invitations.service.js';
import { PasswordHasher } from './credentials/password-hasher.service.js';
import { PasswordStrength } from './credentials/password-strength.service.js';
import { Passwords } from './credentials/passwords.service.js';
import { RefreshTokensRepository } from './sessions/refresh-tokens.repository.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { loadTokenKeys } from './credentials/signing-key.js';
import { ExpiredIdempotencyKeys } from './bootstrap/expired-idempotency-keys.task.js';
import { TenantDirectory } from './tenants/tenant-directory.repository.js';
import { TenantFounder } from './tenants/tenant-founder.service.js';
import { TenantInvitationsController } from './invitations/tenant-invitations.controller.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantsRepository } from './record/tenants.repository.js';
import { TenantsService } from './tenants/tenants.service.js';

/** Time in which failed logins of an account from one address make at most one entry of the audit log. */
const FAILED_LOGIN_SECONDS = 60;

/**
 * Accounts, tenants, memberships, sessions and API keys, and the only `Authenticator` of the service. It needs `DatasetVisibilityPort` and
 * `DatasetOwnershipPort` from the datasets module, which provides them globally.
 */
@Global()
@Module({
  imports: [SecurityModule],
  controllers: [
    SessionsController,
    OidcSignInController,
    OwnAccountController,
    OwnSessionsController,
    ApiKeysController,
    TenantsController,
    MembersController,
    TenantInvitationsController,
    OwnInvitationsController,
  ],
  providers: [
    AccountsRepository,
    ApiKeysRepository,
    CredentialsRepository,
    HomeTenant,
    MembersRepository,
    RefreshTokensRepository,
    TenantsRepository,
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
    PasswordStrength,
    Passwords,
    LoginOriginsRepository,
    LoginCredentials,
    {
      provide: LoginRecords,
      inject: [AuditLog, CredentialsRepository, PinoLogger],
      useFactory: (audit: AuditLog, credentials: CredentialsRepository, logger: PinoLogger) =>
        new LoginRecords(audit, credentials, logger, FAILED_LOGIN_SECONDS),
    },
    LoginThrottle,
    SessionsService,
    CookieSessionsService,
    OwnSessionsRepository,
    OwnSessionsService,
    OwnAccountService,
    ApiKeysService,
    ExpiredIdempotencyKeys,
    TenantDirectory,
    TenantFounder,
    TenantsService,
    MembersService,
    InvitationsRepository,
    InvitationsService,
    OwnInvitationsService,
    MemberDirectory,
    AccountsBootstrap,
    AccountsRecovery,
    OidcIdentitiesRepository,
    ProvenAddresses,
    OidcAccounts,
    OidcSignInService,
    { provide: OidcCodeFlow, inject: [Settings], useFactory: ({ values }: Settings) => codeFlowOf(values) },
    {
      provide: AccessTokens,
      inject: [Settings],
      useFactory: async ({ values }: Settings) =>
        new AccessTokens(await loadTokenKeys(values), values.accessTokenSeconds),
    },
    {
      provide: AccessTokenVerifiers,
      inject: [AccessTokens, Settings, OidcAccounts, PinoLogger],
      useFactory: (own: AccessTokens, { values }: Settings, accounts: OidcAccounts, logger: PinoLogger) => {
        const warnings = new ClaimWarnings(logger);
        const issuers = issuersOf(values).map((issuer) => new OidcTokens(issuer, accounts, warnings));
        return new AccessTokenVerifiers([own, ...issuers]);
      },
    },
    { provide: Authenticator, useClass: AccountAuthenticator },
    { provide: PresentPrincipals, useClass: AccountPrincipals },
  ],
  exports: [Authenticator, PresentPrincipals, TenantDirectory, MemberDirectory, AccountsBootstrap, AccountsRecovery],
})
export class AccountsModule {}

/** The issuers whose tokens are accepted in addition to the service's own. */
function issuersOf(settings: SettingsValues): OidcIssuer[] {
  const { authOidcIssuer: issuer, authOidcAudience: audience, authOidcAlgorithms: algorithms } = settings;
  const { authOidcTenantClaim: tenantClaim, authOidcRoleClaim: roleClaim } = settings;
  return issuer === undefined || audience === undefined
    ? []
    : [{ issuer, audience, algorithms, tenantClaim, roleClaim }];
}

/** The sign-in at the issuer; null if it is not configured. */
function codeFlowOf(settings: SettingsValues): OidcCodeFlow | null {
  const { authOidcIssuer: issuer, authOidcClientId: clientId, publicUrl } = settings;
  const { authOidcTenantClaim: tenantClaim, authOidcRoleClaim: roleClaim } = settings;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return null;
  return new OidcCodeFlow({
    issuer,
    clientId,
    clientSecret: settings.authOidcClientSecret,
    redirectUri: `${publicUrl.replace(/\/$/, '')}/api/v1/auth/oidc/callback`,
    algorithms: settings.authOidcAlgorithms,
    tenantClaim,
    roleClaim,
  });
}
