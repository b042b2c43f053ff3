import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessWatch } from './access-watch.js';
import { CredentialResolver } from './credential-resolver.js';
import { AccessTokenStrategy, ApiKeyStrategy } from './credential-strategies.js';
import { PrincipalGuard } from './principal.guard.js';
import { SecurityModule } from './security.module.js';

/** Watches over answers that are under way. A part of its own, because controllers that need it are in graphs without any route too. */
@Global()
@Module({ providers: [AccessWatch], exports: [AccessWatch] })
export class AccessWatchModule {}

/** The one resolver of credentials and the one guard on every route. Anyone who imports it provides an `Authenticator` globally. */
@Global()
@Module({
  imports: [PassportModule.register({ session: false }), SecurityModule, AccessWatchModule],
  providers: [
    AccessTokenStrategy,
    ApiKeyStrategy,
    CredentialResolver,
    { provide: APP_GUARD, useClass: PrincipalGuard },
  ],
  exports: [CredentialResolver],
})
export class TenancyModule {}
