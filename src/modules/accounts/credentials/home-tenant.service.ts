import { Injectable } from '@nestjs/common';
import { NOWHERE_TENANT } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { actingAccount } from '../record/acting-account.js';
import { CredentialsRepository } from './credentials.repository.js';

/** In which tenant it is recorded what an account does with itself: its password, its sessions. */
@Injectable()
export class HomeTenant {
  constructor(private readonly credentials: CredentialsRepository) {}

  /**
   * The context itself. Where its header names a tenant that the account does not belong to, the context in the tenant that the account
   * acts in without a header, so that no header keeps an event out of the audit log; unchanged for an account that has no tenant.
   */
  async contextOf(ctx: RequestContext): Promise<RequestContext> {
    if (ctx.tenantId !== NOWHERE_TENANT) return ctx;
    const standing = await this.credentials.findAccount(actingAccount(ctx));
    if (standing === null) return ctx;
    const { defaultTenantId, memberships } = standing.account;
    const home = memberships.find(({ tenantId }) => tenantId === defaultTenantId) ?? memberships[0];
    return home === undefined ? ctx : { ...ctx, tenantId: home.tenantId };
  }
}
