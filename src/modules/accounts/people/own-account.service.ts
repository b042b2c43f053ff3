import { Injectable } from '@nestjs/common';
import { NOWHERE_TENANT } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { Client, RequestContext } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import type { AccountWithTenants } from '../record/account.entity.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { actingAccount, onlyTenant } from '../record/acting-account.js';
import type { MeResponse } from './me.dto.js';
import { LoginThrottle } from '../sessions/login-throttle.service.js';
import { HomeTenant } from '../credentials/home-tenant.service.js';
import { Passwords } from '../credentials/passwords.service.js';
import { RefreshTokensRepository } from '../sessions/refresh-tokens.repository.js';

/** Reads the caller's own account and changes its password. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly refreshTokens: RefreshTokensRepository,
    private readonly passwords: Passwords,
    private readonly home: HomeTenant,
    private readonly throttle: LoginThrottle,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** The caller, its tenant and its permissions there. @throws `accounts.tenant_not_found` */
  async me(ctx: RequestContext): Promise<MeResponse> {
    const { tenants, ...account } = await this.require(ctx);
    const nowhere = ctx.tenantId === NOWHERE_TENANT;
    // An account with tenants acts in none only because of a header; an account without tenants always acts in none.
    if (nowhere && (tenants.length > 0 || ctx.principal.kind !== 'account')) throw accountErrors.tenant_not_found({});
    return {
      account,
      tenant_id: nowhere ? null : ctx.tenantId,
      tenants: tenants.map(({ id, name, role }) => ({ id, name, role })),
      permissions: [...ctx.principal.permissions].sort(),
    };
  }

  /** Replaces the password and ends every session, access tokens included. @throws `accounts.current_password_wrong`, `accounts.login_blocked`, 422 for one that is easy to guess */
  async changePassword(ctx: RequestContext, client: Client, current: string, replacement: string): Promise<void> {
    const id = actingAccount(ctx);
    const kept = await this.accounts.findCredentials(ctx, id);
    if (kept === undefined) throw accountErrors.current_password_wrong({});
    const attempt = { purpose: 'password_check', email: kept.email, accountIds: [id], client } as const;
    const right = await this.throttle.attempt(attempt, async () =>
      (await this.passwords.verify(kept.password_hash, current)) ? { accountId: id, isFirstUse: false } : undefined,
    );
    if (right === undefined) throw accountErrors.current_password_wrong({});
    const { tenants } = await this.require(ctx);
    const personal = [kept.email, ...tenants.map(({ name }) => name)];
    const like = await this.accounts.findHashOfAddress(ctx, kept.email, id);
    const hash = await this.passwords.hashNew('new_password', replacement, personal, like);
    await this.unitOfWork.run(await this.home.contextOf(ctx), async (_manager, inner) => {
      const replaced = await this.accounts.replacePassword(inner, id, kept.password_hash, hash);
      if (!replaced) throw accountErrors.current_password_wrong({});
      await this.refreshTokens.endAllOf(inner, id);
      await this.audit.append(inner, { event: 'account.password_changed', subject: `account:${id}` });
    });
  }

  private async require(ctx: RequestContext): Promise<AccountWithTenants> {
    const id = actingAccount(ctx);
    const account = await this.accounts.findWithTenants(ctx, id, onlyTenant(ctx));
    if (account === undefined) throw new Error(`The account ${id} of an authenticated request does not exist.`);
    return account;
  }
}
