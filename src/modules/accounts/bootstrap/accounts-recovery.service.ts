import { Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { CredentialsRepository, type AddressedAccount } from '../credentials/credentials.repository.js';
import { generatePassword } from '../credentials/generated-password.js';
import { emailKeyOf } from '../sessions/login-origin.js';
import { LoginOriginsRepository } from '../sessions/login-origins.repository.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';
import { RefreshTokensRepository } from '../sessions/refresh-tokens.repository.js';
import { renderTenants } from '../sessions/tenant-choice.js';

/** Resets a lost password on the machine of the service: `npm run admin:reset-password`. */
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

  /** Creates the service for a command that has a database but no application. */
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

  /**
   * Gives an account with the address a generated password, and ends its sessions and login delays. The account is that of the named
   * tenant, or else the first administrator or the only one. @throws `accounts.account_unknown`, `accounts.several_accounts`
   */
  async resetPassword(email: string, tenantId?: string): Promise<{ readonly password: string }> {
    const kept = await this.find(email.trim(), tenantId?.trim().toLowerCase());
    const password = generatePassword();
    const ctx: RequestContext = {
      tenantId: kept.default_tenant_id ?? NOWHERE_TENANT,
      principal: { kind: 'system', permissions: new Set() },
      requestId: `recovery-${newId()}`,
    };
    const like = await this.accounts.findHashOfAddress(ctx, kept.email, kept.id);
    const hash = await this.hasher.hash(password, like);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.accounts.setPassword(inner, kept.id, hash);
      await this.refreshTokens.endAllOf(inner, kept.id);
      await this.origins.forgetFailures(inner, emailKeyOf(kept.email));
      await this.audit.append(inner, { event: 'account.password_reset', subject: `account:${kept.id}` });
    });
    return { password };
  }

  private async find(email: string, tenantId: string | undefined): Promise<AddressedAccount> {
    const all = await this.credentials.findOfAddress(email);
    const tenants = await this.credentials.findTenantsOf(all.map(({ id }) => id));
    const isOf = ({ id }: AddressedAccount): boolean =>
      tenants.some((tenant) => tenant.account_id === id && tenant.tenant_id === tenantId);
    const possible = tenantId === undefined ? all : all.filter(isOf);
    const [first] = possible;
    if (first === undefined) throw accountErrors.account_unknown({ email });
    const chosen = possible.length === 1 || tenantId !== undefined ? first : possible.find((one) => one.platform_admin);
    if (chosen === undefined) throw accountErrors.several_accounts({ email, tenants: renderTenants(tenants) });
    return chosen;
  }
}
