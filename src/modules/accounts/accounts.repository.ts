import { Injectable } from '@nestjs/common';
import type { FindOptionsSelect } from 'typeorm';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { columnsOf, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { AccountEntity, type AccountRow, type CredentialsRow } from './account.entity.js';
import { SystemRepository } from './system-repository.js';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly platformAdmin?: boolean;
}

const ACCOUNT = columnsOf(AccountEntity, 'id', 'email', 'name');
const FIND_BY_EMAIL = statement(ACCOUNT, `SELECT id, email, name FROM accounts WHERE lower(email) = lower($1)`);
const INSERT = statement(
  ACCOUNT,
  `INSERT INTO accounts (id, email, name, password_hash, platform_admin) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (lower(email)) DO NOTHING RETURNING id, email, name`,
);
const INSERT_WITHOUT_PASSWORD = statement(
  columnsOf(AccountEntity, 'id'),
  `INSERT INTO accounts (id, email, name) VALUES ($1, $2, $3) ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
);
const SET_DEFAULT = statement(
  {},
  `UPDATE accounts a SET default_tenant_id = $2 WHERE a.id = $1 AND NOT EXISTS (
     SELECT 1 FROM memberships m WHERE m.account_id = a.id AND m.tenant_id = a.default_tenant_id)`,
);
const MOVE_DEFAULT = statement(
  {},
  `UPDATE accounts a SET default_tenant_id = (
     SELECT m.tenant_id FROM memberships m WHERE m.account_id = a.id ORDER BY m.created_at, m.tenant_id LIMIT 1)
   WHERE a.id = $1 AND a.default_tenant_id = $2`,
);
const REPLACE_PASSWORD = statement(
  columnsOf(AccountEntity, 'id'),
  `UPDATE accounts SET password_hash = $3, token_version = token_version + 1
   WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 RETURNING id`,
);

/** Rows of `accounts`. */
@Injectable()
export class AccountsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  findById(ctx: RequestContext, id: AccountId): Promise<AccountRow | undefined> {
    return this.findOne(ctx, { id: true, email: true, name: true }, id);
  }

  findByEmail(ctx: RequestContext, email: string): Promise<AccountRow | undefined> {
    return this.queryOne(ctx, FIND_BY_EMAIL, [email]);
  }

  isAny(ctx: RequestContext): Promise<boolean> {
    return this.withRepository(ctx, AccountEntity, (rows) => rows.exists());
  }

  findCredentials(ctx: RequestContext, id: AccountId): Promise<CredentialsRow | undefined> {
    return this.findOne(ctx, { id: true, email: true, password_hash: true, state: true }, id);
  }

  /** The account with this e-mail address, made if there is none; one that was there stays exactly as it is. */
  async ensure(ctx: RequestContext, account: NewAccount): Promise<AccountRow & { readonly made: boolean }> {
    const made = await this.queryOne(ctx, INSERT, [
      newId(),
      account.email,
      nameOf(account.email),
      account.passwordHash,
      account.platformAdmin ?? false,
    ]);
    if (made !== undefined) return { ...made, made: true };
    const known = await this.findByEmail(ctx, account.email);
    if (known === undefined) throw new Error('An account disappeared while it was being joined.');
    return { ...known, made: false };
  }

  /** An account that cannot log in with a password; undefined when the address has one. */
  async insertWithoutPassword(
    ctx: RequestContext,
    { email, name }: Pick<AccountRow, 'email' | 'name'>,
  ): Promise<AccountId | undefined> {
    return (await this.queryOne(ctx, INSERT_WITHOUT_PASSWORD, [newId(), email, name]))?.id;
  }

  /** Makes the tenant the account's default if it has none that it belongs to. */
  async defaultTo(ctx: RequestContext, accountId: AccountId, tenantId: TenantId): Promise<void> {
    await this.query(ctx, SET_DEFAULT, [accountId, tenantId]);
  }

  /** Gives an account that has lost its default tenant the oldest of its other ones, or none. */
  async moveDefaultFrom(ctx: RequestContext, accountId: AccountId, tenantId: TenantId): Promise<void> {
    await this.query(ctx, MOVE_DEFAULT, [accountId, tenantId]);
  }

  /** Replaces the password if it is still `expected`, and with it the version of access tokens; false when somebody changed it meanwhile. */
  async replacePassword(ctx: RequestContext, id: AccountId, expected: string | null, hash: string): Promise<boolean> {
    const changed = await this.query(ctx, REPLACE_PASSWORD, [id, expected, hash]);
    return changed.length > 0;
  }

  /** Replaces the password whatever it was, and the version of access tokens. */
  async setPassword(ctx: RequestContext, id: AccountId, hash: string): Promise<void> {
    await this.withRepository(ctx, AccountEntity, (rows) =>
      rows.update({ id }, { password_hash: hash, token_version: () => 'token_version + 1' }),
    );
  }

  private async findOne(
    ctx: RequestContext,
    select: FindOptionsSelect<AccountEntity>,
    id: AccountId,
  ): Promise<AccountEntity | undefined> {
    return (
      (await this.withRepository(ctx, AccountEntity, (rows) => rows.findOne({ select, where: { id } }))) ?? undefined
    );
  }
}

/** The name of an account that nobody has named: what stands before the @. */
function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
