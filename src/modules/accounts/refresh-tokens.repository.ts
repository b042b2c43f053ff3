import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId, type AccountId } from '#libs/common';
import { result, rowsOf, SQL_NOW, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { OwnTokenSubject } from './access-token-verifiers.js';
import { SystemRepository } from './system-repository.js';

const BEGIN_FAMILY = statement(
  { id: result.uuid(), token_version: result.integer },
  `INSERT INTO refresh_families (id, account_id)
         SELECT $1, a.id FROM accounts a WHERE a.id = $2 AND a.password_hash = $3 AND a.state = 'active' FOR SHARE
         RETURNING id, (SELECT token_version FROM accounts WHERE id = account_id) AS token_version`,
);
const FORGET_EXPIRED = statement(
  {},
  `DELETE FROM refresh_families f WHERE f.account_id = $1 AND f.id <> $2 AND NOT EXISTS (
           SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.id AND t.expires_at > ${SQL_NOW})`,
);
const FIND_TOKEN = statement(
  {
    family_id: result.uuid(),
    account_id: result.uuid<AccountId>(),
    token_version: result.integer,
    expired: result.boolean,
    ended: result.boolean,
  },
  `SELECT t.family_id, f.account_id, a.token_version, t.expires_at <= ${SQL_NOW} AS expired,
           f.revoked_at IS NOT NULL OR a.state <> 'active' AS ended
         FROM refresh_tokens t JOIN refresh_families f ON f.id = t.family_id JOIN accounts a ON a.id = f.account_id
         WHERE t.token_hash = $1`,
);
const USE_TOKEN = statement(
  { family_id: result.uuid() },
  `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL RETURNING family_id`,
);
const REVOKE_FAMILY = statement(
  {},
  `UPDATE refresh_families SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL`,
);
const END_FAMILY_OF = statement(
  {},
  `UPDATE refresh_families f SET revoked_at = now() FROM refresh_tokens t
       WHERE t.token_hash = $1 AND t.family_id = f.id AND f.revoked_at IS NULL`,
);
const END_ALL_OF = statement(
  {},
  `UPDATE refresh_families SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL`,
);
const INSERT_TOKEN = statement(
  {},
  `INSERT INTO refresh_tokens (token_hash, family_id, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
);

/** What a refresh came to: `reused` has ended the family; `expired`, `ended` and `unknown` have changed nothing. */
export type Rotation =
  | ({ readonly outcome: 'rotated' } & OwnTokenSubject)
  | { readonly outcome: 'reused' | 'expired' | 'ended'; readonly accountId: AccountId }
  | { readonly outcome: 'unknown'; readonly accountId?: undefined };

/** Families of refresh tokens: a login begins one, each refresh adds a token to it. Hashes only. */
@Injectable()
export class RefreshTokensRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Begins a family for a login that was checked against `passwordHash`, and forgets the account's families that have run
   * out. Null when the password or the state of the account has changed since: its families have been ended already.
   */
  async beginFamily(
    accountId: AccountId,
    passwordHash: string,
    tokenHash: string,
    seconds: number,
  ): Promise<OwnTokenSubject | null> {
    return this.unitOfWork.runAsSystem(async (manager) => {
      const [family] = await rowsOf(manager, BEGIN_FAMILY, [newId(), accountId, passwordHash]);
      if (family === undefined) return null;
      await insertToken(manager, family.id, tokenHash, seconds);
      await rowsOf(manager, FORGET_EXPIRED, [accountId, family.id]);
      return { accountId, tokenVersion: family.token_version };
    });
  }

  /**
   * Uses up a token and adds its successor to the family. A token that was used before ends the family: either the client or
   * a thief holds a copy, and nobody can tell which. Of two requests with one token, the second counts as such a reuse.
   */
  async rotate(tokenHash: string, successorHash: string, seconds: number): Promise<Rotation> {
    return this.unitOfWork.runAsSystem(async (manager) => {
      const [kept] = await rowsOf(manager, FIND_TOKEN, [tokenHash]);
      if (kept === undefined) return { outcome: 'unknown' };
      const { account_id: accountId } = kept;
      if (kept.ended) return { outcome: 'ended', accountId };
      const used = await rowsOf(manager, USE_TOKEN, [tokenHash]);
      if (used.length === 0) {
        await rowsOf(manager, REVOKE_FAMILY, [kept.family_id]);
        return { outcome: 'reused', accountId };
      }
      if (kept.expired) return { outcome: 'expired', accountId };
      await insertToken(manager, kept.family_id, successorHash, seconds);
      return { outcome: 'rotated', accountId, tokenVersion: kept.token_version };
    });
  }

  /** Ends the family of a token, used or not. Idempotent; nothing happens for an unknown one. */
  async endFamilyOf(tokenHash: string): Promise<void> {
    await this.queryBeforeContext(END_FAMILY_OF, [tokenHash]);
  }

  /** Ends every family of an account. */
  async endAllOf(ctx: RequestContext, accountId: AccountId): Promise<void> {
    await this.query(ctx, END_ALL_OF, [accountId]);
  }
}

async function insertToken(
  manager: EntityManager,
  familyId: string,
  tokenHash: string,
  seconds: number,
): Promise<void> {
  await rowsOf(manager, INSERT_TOKEN, [tokenHash, familyId, seconds]);
}
