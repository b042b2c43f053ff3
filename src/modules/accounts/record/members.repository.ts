import { Injectable } from '@nestjs/common';
import type { AccountId, Page, TenantId } from '#libs/common';
import {
  Any,
  columnsOf,
  result,
  statement,
  statementFamily,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext, Role } from '#libs/tenancy';
import { AccountEntity, type MemberRow } from './account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { LIST_ORDERS, pageOf, type ListOrder, type ListPage } from './list-order.repository.js';
import { MembershipEntity } from './membership.entity.js';
import { accountsOfPerson } from './person.repository.js';
import { SystemRepository } from './system.repository.js';

const MEMBERS = `SELECT a.id, a.id AS account_id, a.email, a.name, m.role, m.created_at
  FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = $1`;

const MEMBER = {
  ...columnsOf(AccountEntity, 'id', 'email', 'name'),
  ...columnsOf(MembershipEntity, 'account_id', 'role', 'created_at'),
};
const LIST = statementFamily(
  MEMBER,
  (order: ListOrder) => pageOf(MEMBERS, order, 2),
  LIST_ORDERS.map((order) => [order] as const),
);
const FIND = statement(MEMBER, `${MEMBERS} AND m.account_id = $2`);
const FIND_OF_PERSON = statement(MEMBER, `${MEMBERS} AND m.account_id = ANY (${accountsOfPerson('$2')})`);
const FIND_BY_EMAIL = statement(MEMBER, `${MEMBERS} AND lower(a.email) = lower($2)`);
const LOCK_TENANT = statement({ locked: result.integer }, `SELECT 1 AS locked FROM tenants WHERE id = $1 FOR UPDATE`);
const INSERT = statement(
  { account_id: result.uuid<AccountId>() },
  `INSERT INTO memberships (tenant_id, account_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING account_id`,
);

/** Rows of `memberships`. Every statement names the tenant of the context. */
@Injectable()
export class MembersRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Locks the members of a tenant until the transaction ends, so that the count of owners is exact. */
  async lock(ctx: TransactionContext): Promise<void> {
    await this.query(ctx, LOCK_TENANT, [ctx.tenantId]);
  }

  async list(ctx: RequestContext, page: ListPage): Promise<Page<MemberRow>> {
    const items = await this.query(ctx, LIST.of(page.order_by), [ctx.tenantId, page.limit, page.skip]);
    const total = await this.withRepository(ctx, MembershipEntity, (rows) => rows.countBy({ tenant_id: ctx.tenantId }));
    return { items, total, skip: page.skip, limit: page.limit };
  }

  find(ctx: RequestContext, accountId: AccountId): Promise<MemberRow | undefined> {
    return this.queryOne(ctx, FIND, [ctx.tenantId, accountId]);
  }

  /** The membership of the person of an account, through this account or a joined one. */
  findOfPerson(ctx: RequestContext, accountId: AccountId): Promise<MemberRow | undefined> {
    return this.queryOne(ctx, FIND_OF_PERSON, [ctx.tenantId, accountId]);
  }

  findByEmail(ctx: RequestContext, email: string): Promise<MemberRow | undefined> {
    return this.queryOne(ctx, FIND_BY_EMAIL, [ctx.tenantId, email]);
  }

  /** Adds a member; false when the account already is one. The tenant may be a new one instead of that of the context. */
  async insert(ctx: TransactionContext, tenantId: TenantId, accountId: AccountId, role: Role): Promise<boolean> {
    const added = await this.query(ctx, INSERT, [tenantId, accountId, role]);
    return added.length > 0;
  }

  async changeRole(ctx: TransactionContext, accountId: AccountId, role: Role): Promise<void> {
    await this.withRepository(ctx, MembershipEntity, (rows) =>
      rows.update({ tenant_id: ctx.tenantId, account_id: accountId }, { role }),
    );
  }

  /** Ends the membership and removes the account's API keys of the tenant. */
  async remove(ctx: TransactionContext, accountId: AccountId): Promise<void> {
    const membership = { tenant_id: ctx.tenantId, account_id: accountId };
    await this.withRepository(ctx, ApiKeyEntity, (rows) => rows.delete(membership));
    await this.withRepository(ctx, MembershipEntity, (rows) => rows.delete(membership));
  }

  async countOwners(ctx: TransactionContext): Promise<number> {
    return this.withRepository(ctx, MembershipEntity, (rows) =>
      rows.countBy({ tenant_id: ctx.tenantId, role: 'owner' }),
    );
  }

  async findMembersAmong(ctx: RequestContext, accountIds: readonly AccountId[]): Promise<AccountId[]> {
    const found = await this.withRepository(ctx, MembershipEntity, (rows) =>
      rows.find({ select: { account_id: true }, where: { tenant_id: ctx.tenantId, account_id: Any(accountIds) } }),
    );
    return found.map((row) => row.account_id);
  }
}
