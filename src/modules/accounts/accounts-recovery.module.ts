import { Module } from '@nestjs/common';
import { AccountsRecovery } from './accounts-recovery.js';
import { AccountsRepository } from './accounts.repository.js';
import { CredentialsRepository } from './credentials.repository.js';
import { LoginOriginsRepository } from './login-origins.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { RefreshTokensRepository } from './refresh-tokens.repository.js';

/** Recovery alone, without routes, for a command that runs beside the service. */
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
