import { Injectable } from '@nestjs/common';
import type { AccountId, Page, TenantId } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext, Role } from '#libs/tenancy';
import type { MemberRow } from './account.entity.js';
import { pageOf, type ListPage } from './list-order.js';
import { SystemRepository } from './system-repository.js';

const MEMBERS = `SELECT a.id, a.id AS account_id, a.email, a.name, m.role, m.created_at
  FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = $1`;

/** Rows of `memberships`. Every statement names the tenant of the context. */
@Injectable()
export class MembersRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Changes of one tenant's members wait for each other until the transaction ends: the last owner is counted, not guessed. */
  async lock(ctx: TransactionContext): Promise<void> {
    await this.query(ctx, `SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE`, [ctx.tenantId]);
  }

  async list(ctx: RequestContext, page: ListPage): Promise<Page<MemberRow>> {
    const items = await this.query<MemberRow>(ctx, pageOf(MEMBERS, page.order_by, 2), [
      ctx.tenantId,
      page.limit,
      page.skip,
    ]);
    const counted = await this.queryOne<{ total: number }>(
      ctx,
      `SELECT count(*)::int AS total FROM memberships WHERE tenant_id = $1`,
      [ctx.tenantId],
    );
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  find(ctx: RequestContext, accountId: AccountId): Promise<MemberRow | undefined> {
    return this.queryOne<MemberRow>(ctx, `${MEMBERS} AND m.account_id = $2`, [ctx.tenantId, accountId]);
  }

  findByEmail(ctx: RequestContext, email: string): Promise<MemberRow | undefined> {
    return this.queryOne<MemberRow>(ctx, `${MEMBERS} AND lower(a.email) = lower($2)`, [ctx.tenantId, email]);
  }

  /** False when the account was a member already. The tenant may be another than that of the context: one just made. */
  async insert(ctx: TransactionContext, tenantId: TenantId, accountId: AccountId, role: Role): Promise<boolean> {
    const added = await this.query(
      ctx,
      `INSERT INTO memberships (tenant_id, account_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING account_id`,
      [tenantId, accountId, role],
    );
    return added.length > 0;
  }

  async changeRole(ctx: TransactionContext, accountId: AccountId, role: Role): Promise<void> {
    await this.query(ctx, `UPDATE memberships SET role = $3 WHERE tenant_id = $1 AND account_id = $2`, [
      ctx.tenantId,
      accountId,
      role,
    ]);
  }

  /** Ends the membership, and with it the account's API keys of the tenant. */
  async remove(ctx: TransactionContext, accountId: AccountId): Promise<void> {
    await this.query(ctx, `DELETE FROM api_keys WHERE tenant_id = $1 AND account_id = $2`, [ctx.tenantId, accountId]);
    await this.query(ctx, `DELETE FROM memberships WHERE tenant_id = $1 AND account_id = $2`, [
      ctx.tenantId,
      accountId,
    ]);
  }

  async countOwners(ctx: TransactionContext): Promise<number> {
    const counted = await this.queryOne<{ owners: number }>(
      ctx,
      `SELECT count(*)::int AS owners FROM memberships WHERE tenant_id = $1 AND role = 'owner'`,
      [ctx.tenantId],
    );
    return counted?.owners ?? 0;
  }

  async findMembersAmong(ctx: RequestContext, accountIds: readonly AccountId[]): Promise<AccountId[]> {
    const rows = await this.query<{ account_id: AccountId }>(
      ctx,
      `SELECT account_id FROM memberships WHERE tenant_id = $1 AND account_id = ANY($2::uuid[])`,
      [ctx.tenantId, accountIds],
    );
    return rows.map((row) => row.account_id);
  }
}
