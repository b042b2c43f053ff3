import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessTokenStrategy, ApiKeyStrategy } from './credential-strategies.js';
import { PrincipalGuard } from './principal.guard.js';

/** The one guard on every route. Whoever imports it provides an `Authenticator` globally. */
@Global()
@Module({
  imports: [PassportModule.register({ session: false })],
  providers: [AccessTokenStrategy, ApiKeyStrategy, { provide: APP_GUARD, useClass: PrincipalGuard }],
})
export class TenancyModule {}
