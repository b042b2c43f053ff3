import { Injectable } from '@nestjs/common';
import type { FindOptionsSelect } from 'typeorm';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { columnsOf, result, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { AccountEntity, type AccountRow, type AccountWithTenants, type CredentialsRow } from './account.entity.js';
import { accountsOfPerson } from './person.repository.js';
import { SystemRepository } from './system.repository.js';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly platformAdmin?: boolean;
}

const ACCOUNT = columnsOf(AccountEntity, 'id', 'email', 'name');
const FIND_WITH_TENANTS = statement(
  { ...ACCOUNT, tenants: result.json<AccountWithTenants['tenants']>() },
  `SELECT a.id, a.email, a.name, coalesce(
     (SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'role', m.role) ORDER BY t.created_at, t.id)
      FROM memberships m JOIN tenants t ON t.id = m.tenant_id
      WHERE m.account_id = ANY (${accountsOfPerson('$1')}) AND ($2::uuid IS NULL OR t.id = $2)), '[]') AS tenants
   FROM accounts a WHERE a.id = $1`,
);
const LOCK_BOOTSTRAP = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended('accounts.bootstrap', 0))`,
);
const FIND_VOUCHED = statement(
  ACCOUNT,
  `SELECT id, email, name FROM accounts WHERE vouched AND lower(email) = lower($1)`,
);
const INSERT = statement(
  ACCOUNT,
  `INSERT INTO accounts (id, email, name, password_hash, password_used, platform_admin, vouched)
   VALUES ($1, $2, $3, $4, false, $5, $6)
   ON CONFLICT (lower(email)) WHERE vouched DO NOTHING RETURNING id, email, name`,
);
const INSERT_WITHOUT_PASSWORD = statement(
  columnsOf(AccountEntity, 'id'),
  `INSERT INTO accounts (id, email, name) VALUES ($1, $2, $3) RETURNING id`,
);
const FIND_HASH = statement(
  columnsOf(AccountEntity, 'password_hash'),
  `SELECT password_hash FROM accounts
   WHERE lower(email) = lower($1) AND id IS DISTINCT FROM $2::uuid AND password_hash IS NOT NULL
   ORDER BY created_at, id LIMIT 1`,
);
const FIND_MAIN = statement(
  { id: result.uuid<AccountId>() },
  `SELECT coalesce(joined_to, id) AS id FROM accounts WHERE id = $1`,
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
  `UPDATE accounts SET password_hash = $3, password_used = false, password_unshown = false, token_version = token_version + 1
   WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 RETURNING id`,
);
const IS_ANY_UNSHOWN = statement(
  { found: result.boolean },
  `SELECT EXISTS (SELECT 1 FROM accounts WHERE password_unshown) AS found`,
);
/** Condition that no one has signed in and there is no other account. */
const REPLACE_UNSHOWN = statement(
  columnsOf(AccountEntity, 'email'),
  `UPDATE accounts a SET password_hash = $1, password_used = false, password_unshown = $2, token_version = token_version + 1
   WHERE a.password_unshown AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.id <> a.id)
     AND NOT EXISTS (SELECT 1 FROM refresh_families f WHERE f.account_id = a.id) RETURNING a.email`,
);
const MARK_UNSHOWN = statement({}, `UPDATE accounts SET password_unshown = true WHERE id = $1`);
const NOTE_SHOWN = statement(
  columnsOf(AccountEntity, 'id'),
  `UPDATE accounts SET password_unshown = false WHERE password_unshown AND password_hash = $1 RETURNING id`,
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

  /** The account with all tenants of its person; `only` limits them to one. */
  findWithTenants(ctx: RequestContext, id: AccountId, only: TenantId | null): Promise<AccountWithTenants | undefined> {
    return this.queryOne(ctx, FIND_WITH_TENANTS, [id, only]);
  }

  /**
   * The hash of another account with this e-mail address, so that a new hash with its salt is checked by the same computation. Null if no
   * other account has the address.
   */
  async findHashOfAddress(ctx: RequestContext, email: string, except: AccountId | null): Promise<string | null> {
    return (await this.queryOne(ctx, FIND_HASH, [email, except]))?.password_hash ?? null;
  }

  isAny(ctx: RequestContext): Promise<boolean> {
    return this.withRepository(ctx, AccountEntity, (rows) => rows.exists());
  }

  findCredentials(ctx: RequestContext, id: AccountId): Promise<CredentialsRow | undefined> {
    return this.findOne(ctx, { id: true, email: true, password_hash: true, state: true, password_used: true }, id);
  }

  /** Creates an account that is not vouched for, whatever other accounts have its address. */
  async insert(ctx: RequestContext, account: NewAccount): Promise<AccountId> {
    const made = await this.queryOne(ctx, INSERT, valuesOf(account, false));
    return made!.id;
  }

  /**
   * The account to which the administrator of the installation gave this address; created if there is none, and not changed if it exists.
   */
  async ensureVouched(ctx: RequestContext, account: NewAccount): Promise<AccountRow & { readonly made: boolean }> {
    const made = await this.queryOne(ctx, INSERT, valuesOf(account, true));
    if (made !== undefined) return { ...made, made: true };
    const known = await this.queryOne(ctx, FIND_VOUCHED, [account.email]);
    if (known === undefined) throw new Error('An account disappeared while it was being joined.');
    return { ...known, made: false };
  }

  /** Creates an account that cannot log in with a password. */
  async insertWithoutPassword(
    ctx: RequestContext,
    { email, name }: Pick<AccountRow, 'email' | 'name'>,
  ): Promise<AccountId> {
    return (await this.queryOne(ctx, INSERT_WITHOUT_PASSWORD, [newId(), email, name]))!.id;
  }

  /** The account to which this one was joined, or else itself. */
  async findMain(ctx: RequestContext, id: AccountId): Promise<AccountId> {
    return (await this.queryOne(ctx, FIND_MAIN, [id]))?.id ?? id;
  }

  /** Makes the tenant the default of the account, unless it has a default tenant to which it belongs. */
  async defaultTo(ctx: RequestContext, accountId: AccountId, tenantId: TenantId): Promise<void> {
    await this.query(ctx, SET_DEFAULT, [accountId, tenantId]);
  }

  /** Sets the default tenant of an account that has lost it to the oldest of its other tenants, or to none. */
  async moveDefaultFrom(ctx: RequestContext, accountId: AccountId, tenantId: TenantId): Promise<void> {
    await this.query(ctx, MOVE_DEFAULT, [accountId, tenantId]);
  }

  /** Replaces the password and the version of access tokens if the password is still `expected`; false when it was changed meanwhile. */
  async replacePassword(ctx: RequestContext, id: AccountId, expected: string | null, hash: string): Promise<boolean> {
    const changed = await this.query(ctx, REPLACE_PASSWORD, [id, expected, hash]);
    return changed.length > 0;
  }

  /** Replaces the password, whatever it was, and the version of access tokens. */
  async setPassword(ctx: RequestContext, id: AccountId, hash: string): Promise<void> {
    await this.withRepository(ctx, AccountEntity, (rows) =>
      rows.update(
        { id },
        {
          password_hash: hash,
          password_used: false,
          password_unshown: false,
          token_version: () => 'token_version + 1',
        },
      ),
    );
  }

  /** Whether a generated password has not been shown. */
  async isAnyUnshown(): Promise<boolean> {
    return (await this.queryBeforeContext(IS_ANY_UNSHOWN))[0]?.found === true;
  }

  /** Makes other processes that create the first account wait until the transaction of `ctx` ends. */
  async lockBootstrap(ctx: RequestContext): Promise<void> {
    await this.query(ctx, LOCK_BOOTSTRAP);
  }

  /** Records that the account's password was generated and has not been shown yet. */
  async markUnshown(ctx: RequestContext, id: AccountId): Promise<void> {
    await this.query(ctx, MARK_UNSHOWN, [id]);
  }

  /**
   * Replaces the generated, never shown password of the only account, if no one has signed in; undefined when there is no such account.
   */
  async replaceUnshown(hash: string, isGenerated: boolean): Promise<{ readonly email: string } | undefined> {
    return (await this.queryBeforeContext(REPLACE_UNSHOWN, [hash, isGenerated]))[0];
  }

  /** Records that the password with this hash is being shown; false when it was replaced meanwhile. */
  async noteShown(hash: string): Promise<boolean> {
    return (await this.queryBeforeContext(NOTE_SHOWN, [hash])).length > 0;
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

function valuesOf({ email, passwordHash, platformAdmin }: NewAccount, vouched: boolean): unknown[] {
  return [newId(), email, nameOf(email), passwordHash, platformAdmin ?? false, vouched];
}

/** The default name of an account: the part of the address before the @. */
function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
