import { Module } from '@nestjs/common';
import { AccountsRecovery } from './accounts-recovery.service.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { LoginOriginsRepository } from '../sessions/login-origins.repository.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';
import { RefreshTokensRepository } from '../sessions/refresh-tokens.repository.js';

/** Only account recovery, without routes, for a command that runs beside the service. */
@Module({
  providers: [
    AccountsRecovery,
    AccountsRepository,
    CredentialsRepository,
    LoginOriginsRepository,
    RefreshTokensRepository,
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
  ],
  exports: [AccountsRecovery],
})
export class AccountsRecoveryModule {}
