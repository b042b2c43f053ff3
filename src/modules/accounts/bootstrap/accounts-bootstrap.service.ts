import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '#libs/common';
import { Settings, SettingsError } from '#libs/config';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { AccountsRepository } from '../record/accounts.repository.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { generatePassword } from '../credentials/generated-password.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';
import { Passwords } from '../credentials/passwords.service.js';
import { TenantFounder } from '../tenants/tenant-founder.service.js';

/** The administrator that the first start created; `password` only if it was generated, to be shown once. */
export interface FirstAdministrator {
  readonly email: string;
  readonly password?: string;
  /** Hash of the password. */
  readonly passwordHash?: string;
}

/** Creates the first tenant with its administrator, from the settings `BOOTSTRAP_*`. */
@Injectable()
export class AccountsBootstrap {
  constructor(
    private readonly settings: Settings,
    private readonly credentials: CredentialsRepository,
    private readonly accounts: AccountsRepository,
    private readonly founder: TenantFounder,
    private readonly passwords: Passwords,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Null when there is already an account. Exception: if it is the only account, its password was generated but never shown, and no one has
   * signed in, it gets another password. Of processes that start at once, one creates the account and the others wait. A generated password
   * counts as shown after a call of `noteShown`.
   * @throws SettingsError for a password that is easy to guess
   */
  async ensureFirstAdministrator(): Promise<FirstAdministrator | null> {
    const isMade = await this.credentials.hasAnyAccount();
    if (isMade && !(await this.accounts.isAnyUnshown())) return null;
    const { bootstrapAdminEmail, bootstrapAdminPassword, bootstrapTenantName } = this.settings.values;
    const email = bootstrapAdminEmail.trim();
    await this.requireGood(bootstrapAdminPassword, [email, bootstrapTenantName]);
    const password = bootstrapAdminPassword ?? generatePassword();
    const passwordHash = await this.hasher.hash(password);
    const isGenerated = bootstrapAdminPassword === undefined;
    const shown = isGenerated ? { password, passwordHash } : {};
    if (isMade) {
      const replaced = await this.accounts.replaceUnshown(passwordHash, isGenerated);
      return replaced === undefined ? null : { email: replaced.email, ...shown };
    }
    return (await this.make(email, passwordHash, isGenerated)) ? { email, ...shown } : null;
  }

  /**
   * Call this when the administrator is announced. Null when another process has set another password meanwhile, which that process shows.
   */
  async noteShown(administrator: FirstAdministrator | null): Promise<FirstAdministrator | null> {
    if (administrator?.passwordHash === undefined) return administrator;
    return (await this.accounts.noteShown(administrator.passwordHash)) ? administrator : null;
  }

  private make(email: string, passwordHash: string, isGenerated: boolean): Promise<boolean> {
    const { bootstrapTenantName } = this.settings.values;
    const ctx: RequestContext = {
      tenantId: newId<TenantId>(),
      principal: { kind: 'system', permissions: new Set() },
      requestId: `bootstrap-${newId()}`,
    };
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.accounts.lockBootstrap(inner);
      if (await this.accounts.isAny(inner)) return false;
      const admin = { email, passwordHash, platformAdmin: true };
      const { owner } = await this.founder.found(inner, inner.tenantId, bootstrapTenantName, admin);
      if (isGenerated) await this.accounts.markUnshown(inner, owner.id);
      return true;
    });
  }

  /** The setting is validated only when it is used to create the account. */
  private async requireGood(password: string | undefined, personal: readonly string[]): Promise<void> {
    const fault = password === undefined ? null : await this.passwords.findFault(password, personal);
    if (fault !== null) throw new SettingsError([`BOOTSTRAP_ADMIN_PASSWORD: its value ${fault}.`]);
  }
}
