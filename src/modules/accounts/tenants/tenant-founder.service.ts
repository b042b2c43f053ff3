import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import { AuditLog, type TransactionContext } from '#libs/database';
import type { AccountRow, TenantRow } from '../record/account.entity.js';
import { AccountsRepository, type NewAccount } from '../record/accounts.repository.js';
import { MembersRepository } from '../record/members.repository.js';
import { TenantsRepository } from '../record/tenants.repository.js';

export interface FoundedTenant {
  readonly tenant: TenantRow;
  readonly owner: AccountRow;
}

/** Creates a tenant together with its first owner. */
@Injectable()
export class TenantFounder {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Works in the transaction of `ctx`, with an entry in the audit log of the tenant that `ctx` acts in; an existing account that is vouched
   * for becomes the owner unchanged.
   */
  async found(ctx: TransactionContext, id: TenantId, name: string, admin: NewAccount): Promise<FoundedTenant> {
    const tenant = await this.tenants.insert(ctx, id, name);
    const owner = await this.accounts.ensureVouched(ctx, admin);
    await this.members.insert(ctx, id, owner.id, 'owner');
    await this.accounts.defaultTo(ctx, owner.id, id);
    await this.audit.append(ctx, {
      event: 'tenant.created',
      subject: `tenant:${id}`,
      details: { admin_account_id: owner.id, account_made: owner.made },
    });
    return { tenant, owner };
  }
}
