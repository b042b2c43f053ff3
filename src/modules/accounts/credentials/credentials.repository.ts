import { Injectable } from '@nestjs/common';
import { Batcher, type AccountId, type ApiKeyId, type TenantId } from '#libs/common';
import { columnsOf, result, SQL_NOW, statement, UnitOfWork, type RowOf } from '#libs/database';
import type { AuthenticatedAccount, AuthenticatedApiKey, Membership, Role } from '#libs/tenancy';
import { AccountEntity, type CredentialsRow } from '../record/account.entity.js';
import { ApiKeyEntity } from '../record/api-key.entity.js';
import { accountsOfPerson } from '../record/person.repository.js';
import { SystemRepository } from '../record/system.repository.js';

/** Maximum number of accounts of one e-mail address that a login without a tenant checks, the oldest first. */
const MOST_OF_ADDRESS = 100;

/** Tenants that an account belongs to, or will belong to after its first login. */
const TENANTS = `SELECT coalesce(p.joined_to, p.id) AS account_id, m.tenant_id
  FROM memberships m JOIN accounts p ON p.id = m.account_id
  UNION SELECT i.first_login_of, i.tenant_id FROM invitations i WHERE i.first_login_of IS NOT NULL`;
const FIND_BY_EMAIL = statement(
  columnsOf(AccountEntity, 'id', 'email', 'password_hash', 'state', 'password_used'),
  `SELECT a.id, a.email, a.password_hash, a.state, a.password_used FROM accounts a
   WHERE lower(a.email) = lower($1) AND a.password_hash IS NOT NULL AND ($2::uuid IS NULL
     OR EXISTS (SELECT 1 FROM memberships m WHERE m.tenant_id = $2 AND m.account_id = ANY (${accountsOfPerson('a.id')}))
     OR EXISTS (SELECT 1 FROM invitations i WHERE i.tenant_id = $2 AND i.first_login_of = a.id))
   ORDER BY a.created_at, a.id LIMIT ${MOST_OF_ADDRESS}`,
);
const ACCOUNT_TENANT = {
  account_id: result.uuid<AccountId>(),
  tenant_id: result.uuid<TenantId>(),
  name: result.text(),
};
const FIND_TENANTS = statement(
  ACCOUNT_TENANT,
  `SELECT o.account_id, o.tenant_id, t.name FROM (${TENANTS}) AS o JOIN tenants t ON t.id = o.tenant_id
   WHERE o.account_id = ANY ($1::uuid[]) ORDER BY t.name, t.id`,
);
const NOTE_PASSWORD_USE = statement(
  {},
  `UPDATE accounts SET password_used = true WHERE id = $1 AND password_hash = $2 AND NOT password_used`,
);
const FIND_OF_ADDRESS = statement(
  columnsOf(AccountEntity, 'id', 'email', 'platform_admin', 'default_tenant_id'),
  `SELECT id, email, platform_admin, default_tenant_id FROM accounts
   WHERE lower(email) = lower($1) AND joined_to IS NULL ORDER BY created_at, id LIMIT ${MOST_OF_ADDRESS}`,
);
const FIND_ACCOUNTS = statement(
  {
    ...columnsOf(AccountEntity, 'id', 'platform_admin', 'token_version', 'default_tenant_id'),
    memberships: result.json<Membership[]>(),
  },
  `SELECT a.id, a.platform_admin, a.token_version, a.default_tenant_id, coalesce(
         (SELECT jsonb_agg(jsonb_build_object('tenantId', m.tenant_id, 'role', m.role, 'accountId', m.account_id) ORDER BY m.created_at, m.tenant_id)
          FROM memberships m WHERE m.account_id = ANY (a.id || ARRAY(
            SELECT j.id FROM accounts j WHERE j.joined_to = a.id AND j.state = 'active'))), '[]') AS memberships
       FROM accounts a WHERE a.id = ANY ($1::uuid[]) AND a.state = 'active'`,
);
const FIND_API_KEY = statement(
  {
    ...columnsOf(ApiKeyEntity, 'tenant_id', 'account_id', 'role', 'scopes', 'dataset_ids', 'secret_hash'),
    account_role: result.orNull(result.text<Role>()),
    use_is_noted: result.boolean,
  },
  `SELECT k.tenant_id, k.account_id, m.role AS account_role, k.role, k.scopes, k.dataset_ids, k.secret_hash,
         coalesce(k.last_used_at > now() - interval '1 minute', false) AS use_is_noted
       FROM api_keys k
       JOIN accounts a ON a.id = k.account_id AND a.state = 'active'
       LEFT JOIN memberships m ON m.tenant_id = k.tenant_id AND m.account_id = k.account_id
       WHERE k.id = $1 AND (k.expires_at IS NULL OR k.expires_at > ${SQL_NOW})`,
);
const NOTE_API_KEY_USE = statement(
  {},
  `UPDATE api_keys SET last_used_at = now()
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`,
);
const FIND_DEFAULT_TENANT = statement(
  columnsOf(AccountEntity, 'default_tenant_id'),
  `SELECT default_tenant_id FROM accounts WHERE id = $1`,
);
const HAS_ANY_ACCOUNT = statement({ found: result.boolean }, `SELECT EXISTS (SELECT 1 FROM accounts) AS found`);

/** A tenant of an account. */
export type AccountTenant = RowOf<typeof ACCOUNT_TENANT>;
/** An account of an e-mail address. */
export type AddressedAccount = Pick<AccountEntity, 'id' | 'email' | 'platform_admin' | 'default_tenant_id'>;

/** The present state of an account, with the version that its access tokens must have. */
export interface AccountStanding {
  readonly account: Omit<AuthenticatedAccount, 'stamp'>;
  readonly tokenVersion: number;
}

/** The present state of an API key, with the hash of its secret. */
export interface ApiKeyStanding {
  readonly key: AuthenticatedApiKey;
  readonly secretHash: string;
  /** False if `last_used_at` is more than a minute old. */
  readonly useIsNoted: boolean;
}

/** Queries about credentials before the caller is known; they return only ids, hashes and roles. */
@Injectable()
export class CredentialsRepository extends SystemRepository {
  /** Combines the queries of requests that arrive at the same time. */
  private readonly accounts = new Batcher<AccountId, AccountStanding | null>((ids) => this.findAccounts(ids));

  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Accounts with this e-mail address and a password, the oldest first; with `tenantId` only those that belong to the tenant or will after
   * their first login.
   */
  findByEmail(email: string, tenantId: TenantId | null): Promise<CredentialsRow[]> {
    return this.queryBeforeContext(FIND_BY_EMAIL, [email, tenantId]);
  }

  /** Records a login with this password. */
  async notePasswordUse(accountId: AccountId, passwordHash: string): Promise<void> {
    await this.queryBeforeContext(NOTE_PASSWORD_USE, [accountId, passwordHash]);
  }

  /** The tenants of accounts, including those that they will join with their first login. */
  findTenantsOf(accountIds: readonly AccountId[]): Promise<AccountTenant[]> {
    return this.queryBeforeContext(FIND_TENANTS, [accountIds]);
  }

  /** Accounts with this e-mail address, with or without a password, except accounts that were joined to another one. */
  findOfAddress(email: string): Promise<AddressedAccount[]> {
    return this.queryBeforeContext(FIND_OF_ADDRESS, [email]);
  }

  /** The active account with its present memberships, oldest first; null when there is none. Reads the state at a time after the call. */
  async findAccount(accountId: AccountId): Promise<AccountStanding | null> {
    return this.accounts.submit('', accountId);
  }

  private async findAccounts(accountIds: readonly AccountId[]): Promise<(AccountStanding | null)[]> {
    const rows = await this.queryBeforeContext(FIND_ACCOUNTS, [[...new Set(accountIds)]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return accountIds.map((id) => {
      const row = byId.get(id);
      if (row === undefined) return null;
      const { platform_admin: platformAdmin, default_tenant_id: defaultTenantId, memberships } = row;
      const account = { accountId: row.id, platformAdmin, defaultTenantId, memberships };
      return { account, tokenVersion: row.token_version };
    });
  }

  /** The default tenant of the account; null when it has none. */
  async findDefaultTenant(accountId: AccountId): Promise<TenantId | null> {
    const [row] = await this.queryBeforeContext(FIND_DEFAULT_TENANT, [accountId]);
    return row?.default_tenant_id ?? null;
  }

  /** The key if it has not expired and its account is active. */
  async findApiKey(keyId: ApiKeyId): Promise<ApiKeyStanding | undefined> {
    const [row] = await this.queryBeforeContext(FIND_API_KEY, [keyId]);
    if (row === undefined) return undefined;
    const { tenant_id: tenantId, account_id: accountId, account_role: accountRole, dataset_ids: datasetIds } = row;
    const { role: keyRole, scopes, secret_hash: secretHash } = row;
    const key = { keyId, tenantId, accountId, accountRole, keyRole, scopes, datasetIds, stamp: secretHash };
    return { key, secretHash, useIsNoted: row.use_is_noted };
  }

  /** Records the use of a key, at most once a minute. */
  async noteApiKeyUse(keyId: ApiKeyId): Promise<void> {
    await this.queryBeforeContext(NOTE_API_KEY_USE, [keyId]);
  }

  async hasAnyAccount(): Promise<boolean> {
    const [row] = await this.queryBeforeContext(HAS_ANY_ACCOUNT);
    return row?.found === true;
  }
}
