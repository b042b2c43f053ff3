import { Injectable } from '@nestjs/common';
import type { AccountId, Page, TenantId } from '#libs/common';
import { columnsOf, result, statement, statementFamily, UnitOfWork } from '#libs/database';
import type { RequestContext, Role } from '#libs/tenancy';
import type { TenantRow } from './account.entity.js';
import { LIST_ORDERS, pageOf, type ListOrder, type ListPage } from './list-order.repository.js';
import { accountsOfPerson } from './person.repository.js';
import { SystemRepository } from './system.repository.js';
import { TenantEntity, type TenantBudgets } from './tenant.entity.js';

const TENANT = columnsOf(TenantEntity, 'id', 'name', 'budgets', 'release_needs_two', 'created_at', 'updated_at');
const LIST_OF_ACCOUNT = statementFamily(
  { ...TENANT, role: result.text<Role>() },
  (order: ListOrder) =>
    pageOf(
      `SELECT t.id, t.name, m.role, t.budgets, t.release_needs_two, t.created_at, t.updated_at FROM memberships m
      JOIN tenants t ON t.id = m.tenant_id WHERE m.account_id = ANY (${accountsOfPerson('$1')}) AND ($2::uuid IS NULL OR t.id = $2)`,
      order,
      3,
    ),
  LIST_ORDERS.map((order) => [order] as const),
);
const COUNT_OF_ACCOUNT = statement(
  { total: result.integer },
  `SELECT count(*)::int AS total FROM memberships m
   WHERE m.account_id = ANY (${accountsOfPerson('$1')}) AND ($2::uuid IS NULL OR m.tenant_id = $2)`,
);
const INSERT = statement(
  { ...TENANT, role: result.orNull(result.text<Role>()) },
  `INSERT INTO tenants (id, name) VALUES ($1, $2) RETURNING id, name, NULL AS role, budgets, release_needs_two, created_at, updated_at`,
);
const FIND_NAME = statement({ name: result.text() }, `SELECT name FROM tenants WHERE id = $1`);
const RENAME = statement(
  TENANT,
  `UPDATE tenants SET name = $2, updated_at = now() WHERE id = $1 RETURNING id, name, budgets, release_needs_two, created_at, updated_at`,
);
const SET_BUDGETS = statement(
  TENANT,
  `UPDATE tenants SET budgets = $2, updated_at = now() WHERE id = $1 RETURNING id, name, budgets, release_needs_two, created_at, updated_at`,
);
const SET_RELEASE_RULE = statement(
  TENANT,
  `UPDATE tenants SET release_needs_two = $2, updated_at = now() WHERE id = $1
   RETURNING id, name, budgets, release_needs_two, created_at, updated_at`,
);

/** Rows of `tenants`. */
@Injectable()
export class TenantsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Tenants of the person of an account, with the role in each; `only` limits them to one. */
  async listOfAccount(
    ctx: RequestContext,
    accountId: AccountId,
    only: TenantId | null,
    page: ListPage,
  ): Promise<Page<TenantRow>> {
    const items = await this.query(ctx, LIST_OF_ACCOUNT.of(page.order_by), [accountId, only, page.limit, page.skip]);
    const counted = await this.queryOne(ctx, COUNT_OF_ACCOUNT, [accountId, only]);
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  async insert(ctx: RequestContext, id: TenantId, name: string): Promise<TenantRow> {
    const row = await this.queryOne(ctx, INSERT, [id, name]);
    return row!;
  }

  exists(ctx: RequestContext, id: TenantId): Promise<boolean> {
    return this.withRepository(ctx, TenantEntity, (rows) => rows.existsBy({ id }));
  }

  /** The name of the tenant of the context. */
  async findName(ctx: RequestContext): Promise<string | undefined> {
    const row = await this.queryOne(ctx, FIND_NAME, [ctx.tenantId]);
    return row?.name;
  }

  /** Renames the tenant of the context. */
  async rename(ctx: RequestContext, name: string): Promise<Omit<TenantRow, 'role'> | undefined> {
    return this.queryOne(ctx, RENAME, [ctx.tenantId, name]);
  }

  /** Sets the budgets of the tenant of the context; null: no limits. */
  async setBudgets(ctx: RequestContext, budgets: TenantBudgets | null): Promise<Omit<TenantRow, 'role'> | undefined> {
    return this.queryOne(ctx, SET_BUDGETS, [ctx.tenantId, budgets === null ? null : JSON.stringify(budgets)]);
  }

  /** Sets whether releases from quarantine need two accounts in the tenant of the context. */
  async setReleaseRule(ctx: RequestContext, needsTwo: boolean): Promise<Omit<TenantRow, 'role'> | undefined> {
    return this.queryOne(ctx, SET_RELEASE_RULE, [ctx.tenantId, needsTwo]);
  }
}
