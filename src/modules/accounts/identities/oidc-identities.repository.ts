import { Injectable } from '@nestjs/common';
import type { AccountId, TenantId } from '#libs/common';
import { columnsOf, result, statement, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountsOfPerson } from '../record/person.repository.js';
import { SystemRepository } from '../record/system.repository.js';
import type { OidcSubject } from './oidc-claims.js';
import { OidcIdentityEntity } from './oidc-identity.entity.js';

/** Accounts with a proven address that belong to no subject yet; the account of the installation's administrator never belongs to one. */
const isJoinable = (email: string): string => `lower(o.email) = lower(${email}) AND o.joined_to IS NULL
  AND NOT o.platform_admin AND NOT EXISTS (SELECT 1 FROM oidc_identities x WHERE x.account_id = o.id)`;

const FIND = statement(
  { ...columnsOf(OidcIdentityEntity, 'account_id'), proves: result.boolean },
  `SELECT i.account_id, $3::text IS NOT NULL AND (
     EXISTS (SELECT 1 FROM accounts o WHERE ${isJoinable('$3')})
     OR i.email IS NULL
     OR (i.email <> $3 AND coalesce(i.verified_at < to_timestamp($4::float8), $4 IS NOT NULL))) AS proves
   FROM oidc_identities i WHERE i.issuer = $1 AND i.subject = $2`,
);
const LOCK = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended('oidc:' || $1 || ' ' || $2, 0))`,
);
const INSERT = statement(
  {},
  `INSERT INTO oidc_identities (issuer, subject, account_id, email, verified_at)
   VALUES ($1, $2, $3, $4, to_timestamp($5::float8))`,
);
const FIND_OF = statement(
  columnsOf(OidcIdentityEntity, 'email'),
  `SELECT email FROM oidc_identities WHERE account_id = ANY (${accountsOfPerson('$1')})`,
);
const RENEW = statement(
  { account_id: result.uuid<AccountId>() },
  `UPDATE oidc_identities SET email = $2, verified_at = to_timestamp($3::float8)
   WHERE account_id = $1 AND email IS DISTINCT FROM $2
     AND (email IS NULL OR coalesce(verified_at < to_timestamp($3::float8), $3 IS NOT NULL)) RETURNING account_id`,
);
const SET_EMAIL = statement({}, `UPDATE accounts SET email = $2 WHERE id = $1`);
const FIND_JOINABLE = statement(
  { id: result.uuid<AccountId>(), default_tenant_id: result.orNull(result.uuid<TenantId>()) },
  `SELECT o.id, o.default_tenant_id FROM accounts o WHERE ${isJoinable('$1')} ORDER BY o.id`,
);
const JOIN = statement(
  { id: result.uuid<AccountId>() },
  `UPDATE accounts o SET joined_to = $3, password_hash = NULL, token_version = token_version + 1
   WHERE o.id = $2 AND ${isJoinable('$1')} RETURNING o.id`,
);
const END_KEYS = statement({}, `DELETE FROM api_keys WHERE account_id = $1`);
const END_FIRST_LOGIN = statement({}, `UPDATE invitations SET first_login_of = NULL WHERE first_login_of = $1`);

/** An account with a proven address that may be joined to the account of the subject who has proven it. */
export interface JoinableAccount {
  readonly id: AccountId;
  readonly default_tenant_id: TenantId | null;
}

/** Rows of `oidc_identities`, and the accounts with the addresses that they prove. */
@Injectable()
export class OidcIdentitiesRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The account of a subject; `proves` when the address in the token is new, or accounts with it have not been joined. */
  async find(
    issuer: string,
    { subject, email, issuedAt }: OidcSubject,
    ctx?: TransactionContext,
  ): Promise<{ readonly account_id: AccountId; readonly proves: boolean } | undefined> {
    const parameters = [issuer, subject, email, issuedAt];
    const found = await (ctx === undefined
      ? this.queryBeforeContext(FIND, parameters)
      : this.query(ctx, FIND, parameters));
    return found[0];
  }

  /** Locks a subject until the transaction ends. */
  async lock(ctx: TransactionContext, issuer: string, subject: string): Promise<void> {
    await this.query(ctx, LOCK, [issuer, subject]);
  }

  async insert(ctx: TransactionContext, issuer: string, subject: OidcSubject, accountId: AccountId): Promise<void> {
    await this.query(ctx, INSERT, [issuer, subject.subject, accountId, subject.email, subject.issuedAt]);
  }

  /** The identities of the person of an account; none for an account that logs in with a password. */
  findOf(ctx: RequestContext, accountId: AccountId): Promise<{ readonly email: string | null }[]> {
    return this.query(ctx, FIND_OF, [accountId]);
  }

  /** Stores a newer address of a subject, and gives it to the subject's account. */
  async renewAddress(ctx: TransactionContext, accountId: AccountId, { email, issuedAt }: OidcSubject): Promise<void> {
    const renewed = await this.query(ctx, RENEW, [accountId, email, issuedAt]);
    if (renewed.length > 0) await this.query(ctx, SET_EMAIL, [accountId, email]);
  }

  findJoinable(ctx: RequestContext, email: string): Promise<JoinableAccount[]> {
    return this.query(ctx, FIND_JOINABLE, [email]);
  }

  /** Joins an account to `main` and ends its password, access tokens and API keys. False when it already belongs to a subject. */
  async join(ctx: TransactionContext, id: AccountId, main: AccountId, email: string): Promise<boolean> {
    const joined = await this.query(ctx, JOIN, [email, id, main]);
    if (joined.length === 0) return false;
    await this.query(ctx, END_KEYS, [id]);
    await this.query(ctx, END_FIRST_LOGIN, [id]);
    return true;
  }
}
