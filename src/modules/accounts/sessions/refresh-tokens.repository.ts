import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId, type AccountId } from '#libs/common';
import { result, rowsOf, SQL_NOW, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { OwnTokenSubject } from './access-token-verifiers.service.js';
import type { SessionTraits } from './session-traits.js';
import { SystemRepository } from '../record/system.repository.js';

/**
 * A page that is reloaded while its tokens are renewed never gets the new token. So the token in a cookie may be used once more within this
 * time, as long as its successor has not been used; the successor then becomes invalid.
 */
const LOST_ANSWER_SECONDS = 30;

const BEGIN_FAMILY = statement(
  { id: result.uuid(), token_version: result.integer },
  `INSERT INTO refresh_families (id, account_id, in_cookie, user_agent, network)
         SELECT $1, a.id, $4::boolean, $5::text, $6::text FROM accounts a
         WHERE a.id = $2 AND ($3::text IS NULL OR a.password_hash = $3) AND a.state = 'active' FOR SHARE
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
    in_cookie: result.boolean,
    expired: result.boolean,
    ended: result.boolean,
  },
  `SELECT t.family_id, f.account_id, a.token_version, f.in_cookie, t.expires_at <= ${SQL_NOW} AS expired,
           f.revoked_at IS NOT NULL OR a.state <> 'active' AS ended
         FROM refresh_tokens t JOIN refresh_families f ON f.id = t.family_id JOIN accounts a ON a.id = f.account_id
         WHERE t.token_hash = $1 FOR UPDATE OF f`,
);
const USE_TOKEN = statement(
  { family_id: result.uuid() },
  `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL RETURNING family_id`,
);
/** Marks the unused successor of a recently used token as used, so that a later use of the successor ends the family. */
const DROP_SUCCESSOR = statement(
  { family_id: result.uuid() },
  `UPDATE refresh_tokens t SET used_at = now() FROM refresh_tokens p
       WHERE p.token_hash = $1 AND p.used_at > ${SQL_NOW} - make_interval(secs => $2)
         AND t.predecessor_hash = p.token_hash AND t.family_id = p.family_id AND t.used_at IS NULL RETURNING t.family_id`,
);
const NOTE_USE = statement(
  {},
  `UPDATE refresh_families SET last_used_at = now(), user_agent = $2, network = $3 WHERE id = $1`,
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
  `INSERT INTO refresh_tokens (token_hash, family_id, expires_at, predecessor_hash)
       VALUES ($1, $2, now() + make_interval(secs => $3), $4)`,
);

/** Outcome of a refresh: `reused` has ended the family; `expired`, `ended` and `unknown` have changed nothing. */
export type Rotation =
  | ({ readonly outcome: 'rotated' } & OwnTokenSubject)
  | { readonly outcome: 'reused' | 'expired' | 'ended'; readonly accountId: AccountId }
  | { readonly outcome: 'unknown'; readonly accountId?: undefined };

/** A verified login. */
export interface NewFamily {
  readonly accountId: AccountId;
  /** The hash with which the password was compared; null for a login at an issuer. */
  readonly passwordHash: string | null;
  readonly tokenHash: string;
  /** Lifetime of the token in seconds. */
  readonly seconds: number;
  readonly traits: SessionTraits;
}

/** The token that a refresh returns. */
export interface NextToken {
  readonly hash: string;
  /** Lifetime of the token in seconds. */
  readonly seconds: number;
  readonly traits: Omit<SessionTraits, 'isInCookie'>;
}

interface InsertedToken {
  readonly hash: string;
  readonly seconds: number;
  readonly predecessor: string | null;
}

/** Families of refresh tokens: a login begins a family, and each refresh adds a token to it. Only hashes are stored. */
@Injectable()
export class RefreshTokensRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Begins a family for a login, and removes the account's expired families. Null when the password or the state of the account has changed
   * since the login was verified; its families have already been ended then.
   */
  async beginFamily(login: NewFamily): Promise<OwnTokenSubject | null> {
    const { accountId, passwordHash, traits } = login;
    return this.unitOfWork.runAsSystem(async (manager) => {
      const [family] = await rowsOf(manager, BEGIN_FAMILY, [
        newId(),
        accountId,
        passwordHash,
        traits.isInCookie,
        traits.userAgent,
        traits.network,
      ]);
      if (family === undefined) return null;
      await insertToken(manager, family.id, { hash: login.tokenHash, seconds: login.seconds, predecessor: null });
      await rowsOf(manager, FORGET_EXPIRED, [accountId, family.id]);
      return { accountId, tokenVersion: family.token_version, sessionId: family.id };
    });
  }

  /**
   * Uses up a token and adds its successor to the family. A second use of a token ends the family, because either the client or a thief has
   * a copy, and it is unknown which. The second of two requests with one token counts as such a reuse, except as described at
   * `LOST_ANSWER_SECONDS` for cookies.
   */
  async rotate(tokenHash: string, { hash, seconds, traits }: NextToken): Promise<Rotation> {
    return this.unitOfWork.runAsSystem(async (manager) => {
      const [kept] = await rowsOf(manager, FIND_TOKEN, [tokenHash]);
      if (kept === undefined) return { outcome: 'unknown' };
      const { account_id: accountId, family_id: sessionId } = kept;
      if (kept.ended) return { outcome: 'ended', accountId };
      if (!(await isUsable(manager, tokenHash, kept.in_cookie))) {
        await rowsOf(manager, REVOKE_FAMILY, [sessionId]);
        return { outcome: 'reused', accountId };
      }
      if (kept.expired) return { outcome: 'expired', accountId };
      await insertToken(manager, sessionId, { hash, seconds, predecessor: tokenHash });
      await rowsOf(manager, NOTE_USE, [sessionId, traits.userAgent, traits.network]);
      return { outcome: 'rotated', accountId, tokenVersion: kept.token_version, sessionId };
    });
  }

  /** Ends the family of a token, whether it was used or not. Idempotent; does nothing for an unknown token. */
  async endFamilyOf(tokenHash: string): Promise<void> {
    await this.queryBeforeContext(END_FAMILY_OF, [tokenHash]);
  }

  /** Ends every family of an account. */
  async endAllOf(ctx: RequestContext, accountId: AccountId): Promise<void> {
    await this.query(ctx, END_ALL_OF, [accountId]);
  }
}

/** Uses up the token; a token in a cookie may be used once more if the answer to its first use was lost. */
async function isUsable(manager: EntityManager, tokenHash: string, isInCookie: boolean): Promise<boolean> {
  if ((await rowsOf(manager, USE_TOKEN, [tokenHash])).length > 0) return true;
  if (!isInCookie) return false;
  return (await rowsOf(manager, DROP_SUCCESSOR, [tokenHash, LOST_ANSWER_SECONDS])).length > 0;
}

async function insertToken(
  manager: EntityManager,
  familyId: string,
  { hash, seconds, predecessor }: InsertedToken,
): Promise<void> {
  await rowsOf(manager, INSERT_TOKEN, [hash, familyId, seconds, predecessor]);
}
