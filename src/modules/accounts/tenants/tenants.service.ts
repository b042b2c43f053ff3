import { Injectable } from '@nestjs/common';
import { isUuid, newId, NOWHERE_TENANT, type TenantId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { wakeTasks } from '#libs/tasks';
import { authErrors, type RequestContext } from '#libs/tenancy';
import type { TenantRow } from '../record/account.entity.js';
import { accountErrors } from '../accounts.errors.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { actingAccount, onlyTenant } from '../record/acting-account.js';
import type { CreateTenantDto, CreatedTenant, Tenant, TenantPage, UpdateTenantDto } from './tenant.dto.js';
import type { ListPage } from '../record/list-order.repository.js';
import { requireActingTenant } from '../record/member-rights.js';
import { Passwords } from '../credentials/passwords.service.js';
import { TenantFounder } from './tenant-founder.service.js';
import type { TenantBudgets } from '../record/tenant.entity.js';
import { TenantsRepository } from '../record/tenants.repository.js';

const BUDGET_PERMISSION = 'platform:tenants';

/** Tenants: the caller's own, and new ones. */
@Injectable()
export class TenantsService {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly founder: TenantFounder,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** The caller's tenants; for an API key only its own; empty for a caller who named a foreign tenant. */
  async list(ctx: RequestContext, page: ListPage): Promise<TenantPage> {
    if (ctx.tenantId === NOWHERE_TENANT) return { items: [], total: 0, skip: page.skip, limit: page.limit };
    const found = await this.tenants.listOfAccount(ctx, actingAccount(ctx), onlyTenant(ctx), page);
    return { ...found, items: found.items.map(toTenant) };
  }

  /**
   * Creates a tenant and its owner; an account that this route created for the address before becomes the owner unchanged. The caller gets
   * no access. @throws 422 for a password that is easy to guess
   */
  async create(ctx: RequestContext, wanted: CreateTenantDto): Promise<CreatedTenant> {
    const personal = [wanted.admin_email, wanted.name];
    const like = await this.accounts.findHashOfAddress(ctx, wanted.admin_email, null);
    const passwordHash = await this.passwords.hashNew('admin_password', wanted.admin_password, personal, like);
    const admin = { email: wanted.admin_email, passwordHash };
    const { tenant, owner } = await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.founder.found(inner, newId<TenantId>(), wanted.name, admin),
    );
    const role = owner.id === actingAccount(ctx) ? 'owner' : null;
    return { ...toTenant({ ...tenant, role }), admin_account_id: owner.id };
  }

  /**
   * Renames the tenant that the caller acts in and sets its release rule; sets the budgets of any tenant.
   * @throws `accounts.tenant_not_found`, `auth.permission_missing` for budgets without `platform:tenants`
   */
  async update(ctx: RequestContext, tenantId: string, change: UpdateTenantDto): Promise<Tenant> {
    const { name, budgets, release_needs_two: needsTwo } = change;
    const maySetBudgets = ctx.principal.permissions.has(BUDGET_PERMISSION);
    if (name !== undefined || needsTwo !== undefined || !maySetBudgets) requireActingTenant(ctx, tenantId);
    if (budgets !== undefined && !maySetBudgets)
      throw authErrors.permission_missing({ permission: BUDGET_PERMISSION, kind: ctx.principal.kind });
    if (!isUuid(tenantId)) throw accountErrors.tenant_not_found({});
    const isOwn = tenantId.toLowerCase() === ctx.tenantId;
    const role = !isOwn || ctx.principal.kind === 'system' ? null : ctx.principal.role;
    const own: RequestContext = { ...ctx, tenantId: tenantId.toLowerCase() as TenantId };
    return this.unitOfWork.run(own, async (_manager, inner) => {
      let row = name === undefined ? undefined : await this.rename(inner, name);
      if (needsTwo !== undefined) row = await this.setReleaseRule(inner, needsTwo);
      if (budgets !== undefined) row = await this.setBudgets(inner, budgets);
      if (row === undefined) throw accountErrors.tenant_not_found({});
      return toTenant({ ...row, role });
    });
  }

  private async rename(ctx: TransactionContext, name: string): Promise<Omit<TenantRow, 'role'>> {
    const renamed = await this.tenants.rename(ctx, name);
    if (renamed === undefined) throw accountErrors.tenant_not_found({});
    const details = { name: renamed.name };
    await this.audit.append(ctx, { event: 'tenant.renamed', subject: `tenant:${renamed.id}`, details });
    return renamed;
  }

  private async setReleaseRule(ctx: TransactionContext, needsTwo: boolean): Promise<Omit<TenantRow, 'role'>> {
    const changed = await this.tenants.setReleaseRule(ctx, needsTwo);
    if (changed === undefined) throw accountErrors.tenant_not_found({});
    const details = { release_needs_two: needsTwo };
    await this.audit.append(ctx, { event: 'tenant.release_rule_changed', subject: `tenant:${changed.id}`, details });
    return changed;
  }

  /** Lets documents that wait for the budget check it at once. */
  private async setBudgets(ctx: TransactionContext, budgets: TenantBudgets | null): Promise<Omit<TenantRow, 'role'>> {
    const changed = await this.tenants.setBudgets(ctx, budgets);
    if (changed === undefined) throw accountErrors.tenant_not_found({});
    const details = { monthly_tokens: budgets?.monthly_tokens ?? null, monthly_cost: budgets?.monthly_cost ?? null };
    await this.audit.append(ctx, { event: 'tenant.budgets_changed', subject: `tenant:${changed.id}`, details });
    await this.unitOfWork.asSystem(ctx, (manager) => wakeTasks(manager, changed.id));
    return changed;
  }
}

function toTenant(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    budgets: row.budgets,
    release_needs_two: row.release_needs_two,
    role: row.role,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
