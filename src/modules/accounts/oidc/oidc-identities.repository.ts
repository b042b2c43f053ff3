import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import { columnsOf, result, statement, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { SystemRepository } from '../system-repository.js';
import { OidcIdentityEntity } from './oidc-identity.entity.js';

const FIND = statement(
  columnsOf(OidcIdentityEntity, 'account_id'),
  `SELECT account_id FROM oidc_identities WHERE issuer = $1 AND subject = $2`,
);
const LOCK = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended('oidc:' || $1 || ' ' || $2, 0))`,
);

/** Rows of `oidc_identities`. */
@Injectable()
export class OidcIdentitiesRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async findAccount(issuer: string, subject: string, ctx?: TransactionContext): Promise<AccountId | undefined> {
    const found = await (ctx === undefined
      ? this.queryBeforeContext(FIND, [issuer, subject])
      : this.query(ctx, FIND, [issuer, subject]));
    return found[0]?.account_id;
  }

  /** Others who lock the same subject wait until the transaction ends. */
  async lock(ctx: TransactionContext, issuer: string, subject: string): Promise<void> {
    await this.query(ctx, LOCK, [issuer, subject]);
  }

  async insert(ctx: TransactionContext, identity: Omit<OidcIdentityEntity, 'created_at'>): Promise<void> {
    await this.withRepository(ctx, OidcIdentityEntity, (rows) => rows.insert(identity));
  }

  /** The identities of an account; none for one that logs in with a password. */
  findOf(ctx: RequestContext, accountId: AccountId): Promise<OidcIdentityEntity[]> {
    return this.withRepository(ctx, OidcIdentityEntity, (rows) => rows.findBy({ account_id: accountId }));
  }
}
