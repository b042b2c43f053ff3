import { Injectable } from '@nestjs/common';
import type { AccountId, Page, TenantId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { TenantRow } from './account.entity.js';
import { pageOf, type ListPage } from './list-order.js';
import { SystemRepository } from './system-repository.js';

/** Rows of `tenants`. */
@Injectable()
export class TenantsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Tenants of an account with its role in each; `only` limits them to one of them. */
  async listOfAccount(
    ctx: RequestContext,
    accountId: AccountId,
    only: TenantId | null,
    page: ListPage,
  ): Promise<Page<TenantRow>> {
    const statement = `SELECT t.id, t.name, m.role, t.created_at, t.updated_at FROM memberships m
      JOIN tenants t ON t.id = m.tenant_id WHERE m.account_id = $1 AND ($2::uuid IS NULL OR t.id = $2)`;
    const items = await this.query<TenantRow>(ctx, pageOf(statement, page.order_by, 3), [
      accountId,
      only,
      page.limit,
      page.skip,
    ]);
    const counted = await this.queryOne<{ total: number }>(
      ctx,
      `SELECT count(*)::int AS total FROM memberships m WHERE m.account_id = $1 AND ($2::uuid IS NULL OR m.tenant_id = $2)`,
      [accountId, only],
    );
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  async insert(ctx: RequestContext, id: TenantId, name: string): Promise<TenantRow> {
    const row = await this.queryOne<TenantRow>(
      ctx,
      `INSERT INTO tenants (id, name) VALUES ($1, $2) RETURNING id, name, NULL AS role, created_at, updated_at`,
      [id, name],
    );
    return row!;
  }

  /** The name of the tenant of the context. */
  async findName(ctx: RequestContext): Promise<string | undefined> {
    const row = await this.queryOne<{ name: string }>(ctx, `SELECT name FROM tenants WHERE id = $1`, [ctx.tenantId]);
    return row?.name;
  }

  /** Renames the tenant of the context. */
  async rename(ctx: RequestContext, name: string): Promise<Omit<TenantRow, 'role'> | undefined> {
    return this.queryOne<Omit<TenantRow, 'role'>>(
      ctx,
      `UPDATE tenants SET name = $2, updated_at = now() WHERE id = $1 RETURNING id, name, created_at, updated_at`,
      [ctx.tenantId, name],
    );
  }
}
