import { Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountErrors } from './accounts.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { CredentialsRepository } from './credentials.repository.js';
import { generatePassword } from './generated-password.js';
import { emailKeyOf } from './login-origin.js';
import { LoginOriginsRepository } from './login-origins.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { RefreshTokensRepository } from './refresh-tokens.repository.js';

/** For who lost a password and can reach the machine: `npm run admin:reset-password`. */
@Injectable()
export class AccountsRecovery {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly accounts: AccountsRepository,
    private readonly refreshTokens: RefreshTokensRepository,
    private readonly origins: LoginOriginsRepository,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** For a command that has a database but no application. */
  static over(unitOfWork: UnitOfWork): AccountsRecovery {
    return new AccountsRecovery(
      new CredentialsRepository(unitOfWork),
      new AccountsRepository(unitOfWork),
      new RefreshTokensRepository(unitOfWork),
      new LoginOriginsRepository(unitOfWork),
      new PasswordHasher(),
      unitOfWork,
      new AuditLog(unitOfWork),
    );
  }

  /** Gives the account a generated password, and ends its sessions and the delays of its logins. @throws `accounts.account_unknown` */
  async resetPassword(email: string): Promise<{ readonly password: string }> {
    const kept = await this.credentials.findByEmail(email.trim());
    if (kept === undefined) throw accountErrors.account_unknown({ email });
    const standing = await this.credentials.findAccount(kept.id);
    const password = generatePassword();
    const hash = await this.hasher.hash(password);
    const ctx: RequestContext = {
      tenantId: standing?.account.defaultTenantId ?? NOWHERE_TENANT,
      principal: { kind: 'system', permissions: new Set() },
      requestId: `recovery-${newId()}`,
    };
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.accounts.setPassword(inner, kept.id, hash);
      await this.refreshTokens.endAllOf(inner, kept.id);
      await this.origins.forgetFailures(inner, emailKeyOf(kept.email));
      await this.audit.append(inner, { event: 'account.password_reset', subject: `account:${kept.id}` });
    });
    return { password };
  }
}
