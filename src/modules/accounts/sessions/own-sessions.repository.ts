import { Injectable } from '@nestjs/common';
import type { AccountId, Page } from '#libs/common';
import { columnsOf, result, SQL_NOW, statement, statementFamily, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountsOfPerson } from '../record/person.repository.js';
import { RefreshFamilyEntity } from '../record/refresh-token.entity.js';
import { SESSION_ORDERS, type SessionListPage, type SessionOrder } from './session-order.js';
import { SystemRepository } from '../record/system.repository.js';

const CLAUSES: Readonly<Record<SessionOrder, string>> = {
  last_used_at: 'f.last_used_at, f.id',
  '-last_used_at': 'f.last_used_at DESC, f.id DESC',
  created_at: 'f.created_at, f.id',
  '-created_at': 'f.created_at DESC, f.id DESC',
};

const SESSION = {
  ...columnsOf(RefreshFamilyEntity, 'id', 'in_cookie', 'user_agent', 'network', 'created_at', 'last_used_at'),
  expires_at: result.time,
};
/** Sessions that can still be refreshed, of all accounts of the person. */
const ALIVE = `FROM refresh_families f
  JOIN refresh_tokens t ON t.family_id = f.id AND t.used_at IS NULL AND t.expires_at > ${SQL_NOW}
  WHERE f.account_id = ANY (${accountsOfPerson('$1')}) AND f.revoked_at IS NULL`;
const LIST = statementFamily(
  SESSION,
  (order: SessionOrder) =>
    `SELECT f.id, f.in_cookie, f.user_agent, f.network, f.created_at, f.last_used_at, t.expires_at ${ALIVE}
     ORDER BY ${CLAUSES[order]} LIMIT $2 OFFSET $3`,
  SESSION_ORDERS.map((order) => [order] as const),
);
const COUNT = statement({ total: result.integer }, `SELECT count(*)::int AS total ${ALIVE}`);
const END = statement(
  columnsOf(RefreshFamilyEntity, 'id'),
  `UPDATE refresh_families SET revoked_at = now()
   WHERE id = $2 AND account_id = ANY (${accountsOfPerson('$1')}) AND revoked_at IS NULL RETURNING id`,
);
const END_ALL = statement(
  columnsOf(RefreshFamilyEntity, 'id'),
  `UPDATE refresh_families SET revoked_at = now()
   WHERE account_id = ANY (${accountsOfPerson('$1')}) AND revoked_at IS NULL RETURNING id`,
);
const END_ACCESS_TOKENS = statement(
  {},
  `UPDATE accounts SET token_version = token_version + 1 WHERE id = ANY (${accountsOfPerson('$1')})`,
);

/** A session that can still be refreshed. */
export type SessionRow = RowOf<typeof SESSION>;

/** Reads and ends the sessions of a person. */
@Injectable()
export class OwnSessionsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async list(ctx: RequestContext, accountId: AccountId, page: SessionListPage): Promise<Page<SessionRow>> {
    const items = await this.query(ctx, LIST.of(page.order_by), [accountId, page.limit, page.skip]);
    const counted = await this.queryOne(ctx, COUNT, [accountId]);
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  /** Ends a session; false when the person has no such session or it has ended. */
  async end(ctx: RequestContext, accountId: AccountId, id: string): Promise<boolean> {
    return (await this.query(ctx, END, [accountId, id])).length > 0;
  }

  /** Ends all sessions of the person, and the access tokens of those sessions. */
  async endAll(ctx: RequestContext, accountId: AccountId): Promise<void> {
    await this.query(ctx, END_ALL, [accountId]);
    await this.query(ctx, END_ACCESS_TOKENS, [accountId]);
  }
}
