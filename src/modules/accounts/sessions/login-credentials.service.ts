import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import type { CredentialsRow } from '../record/account.entity.js';
import { accountErrors } from '../accounts.errors.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import type { HashingCaller } from '../credentials/hashing-turns.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';
import { renderTenants } from './tenant-choice.js';

/** An account whose password is right, with the hash that was compared. */
export interface ProvenAccount {
  readonly account: CredentialsRow;
  readonly passwordHash: string;
}

/** Checks e-mail addresses and passwords of logins, with the same work whether such accounts exist or not. */
@Injectable()
export class LoginCredentials {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** The accounts with this e-mail address and a password, whatever their state; with a tenant only those of the tenant. */
  find(email: string, tenantId: string | undefined): Promise<CredentialsRow[]> {
    return this.credentials.findByEmail(email.trim(), (tenantId?.toLowerCase() as TenantId | undefined) ?? null);
  }

  /**
   * The account with this password. Undefined for a wrong password, an unknown address, an account without a password and a disabled
   * account. @throws `accounts.tenant_needed` if several match and, by `isNamed`, no tenant was given
   */
  async prove(
    accounts: readonly CredentialsRow[],
    password: string,
    isNamed: boolean,
    caller: HashingCaller,
  ): Promise<ProvenAccount | undefined> {
    const right = await this.hasher.findMatching(
      accounts.flatMap(({ password_hash: hash }) => hash ?? []),
      password,
      caller,
    );
    const fitting = accounts.flatMap((account) => {
      const { password_hash: passwordHash, state } = account;
      const fits = state === 'active' && passwordHash !== null && right.includes(passwordHash);
      return fits ? [{ account, passwordHash }] : [];
    });
    return fitting.length < 2 || isNamed ? fitting[0] : this.chooseOne(fitting);
  }

  /** Whether this is the first login with this password; records the login. */
  async noteUse({ account, passwordHash }: ProvenAccount): Promise<boolean> {
    if (!account.password_used) await this.credentials.notePasswordUse(account.id, passwordHash);
    return !account.password_used;
  }

  /** The only account with a tenant; the oldest account if none has a tenant. */
  private async chooseOne(fitting: readonly ProvenAccount[]): Promise<ProvenAccount> {
    const tenants = await this.credentials.findTenantsOf(fitting.map(({ account }) => account.id));
    const withTenant = fitting.filter(({ account }) => tenants.some((tenant) => tenant.account_id === account.id));
    if (withTenant.length > 1) {
      throw accountErrors.tenant_needed({ accounts: withTenant.length, tenants: renderTenants(tenants) });
    }
    return withTenant[0] ?? fitting[0]!;
  }
}
