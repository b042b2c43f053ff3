import { Injectable } from '@nestjs/common';
import { NOWHERE_TENANT } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { actingAccount } from '../record/acting-account.js';
import { CredentialsRepository } from './credentials.repository.js';

/** Finds the tenant in whose audit log changes of an account's password and sessions are recorded. */
@Injectable()
export class HomeTenant {
  constructor(private readonly credentials: CredentialsRepository) {}

  /**
   * Usually the context itself. If its header names a tenant that the account does not belong to, the context in the account's default
   * tenant, so that a header cannot keep an event out of the audit log. Unchanged for an account without a tenant.
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
