import { Injectable } from '@nestjs/common';
import { isUuid, type AccountId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { actingAccount } from '../record/acting-account.js';
import type { InviteMemberDto, NewInvitationDto, TenantInvitationPage } from './invitation.dto.js';
import { makeInvitationSecret } from './invitation-secret.js';
import { toTenantInvitation } from './invitation-views.js';
import { InvitationsRepository } from './invitations.repository.js';
import type { ListPage } from '../record/list-order.repository.js';
import { requireActingTenant, requireRoleWithinOwn } from '../record/member-rights.js';
import { MembersRepository } from '../record/members.repository.js';
import { Passwords } from '../credentials/passwords.service.js';
import { TenantsRepository } from '../record/tenants.repository.js';

/** Invitations by administrators of a tenant; invited people join by themselves. No answer reveals whether an address has an account. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly accounts: AccountsRepository,
    private readonly tenants: TenantsRepository,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Invites an address; an earlier invitation is replaced. With a password, an account of this tenant is created at once, whatever other
   * accounts the address has.
   * @throws `accounts.role_beyond_own`, `accounts.already_member`, `accounts.password_login_off`, 422 for a password that is easy to guess
   */
  async invite(ctx: RequestContext, tenantId: string, wanted: InviteMemberDto): Promise<NewInvitationDto> {
    requireActingTenant(ctx, tenantId);
    requireRoleWithinOwn(ctx, wanted.role);
    const passwordHash = await this.hashGiven(ctx, wanted);
    const { secret, hash } = makeInvitationSecret();
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.members.lock(inner);
      const member = await this.members.findByEmail(inner, wanted.email);
      if (member !== undefined) throw accountErrors.already_member({ email: member.email });
      const account = passwordHash === null ? null : await this.makeAccount(inner, wanted.email, passwordHash);
      const row = await this.invitations.put(inner, {
        email: wanted.email,
        role: wanted.role,
        secretHash: hash,
        invitedBy: actingAccount(inner),
        firstLoginOf: account,
      });
      await this.audit.append(inner, {
        event: 'invitation.created',
        subject: `invitation:${row.id}`,
        details: { role: row.role },
      });
      const { invitation_id, email, role, expires_at } = toTenantInvitation(row);
      return { invitation_id, email, role, status: 'invited', secret, expires_at };
    });
  }

  /** @throws `accounts.tenant_not_found` */
  async list(ctx: RequestContext, tenantId: string, page: ListPage): Promise<TenantInvitationPage> {
    requireActingTenant(ctx, tenantId);
    const found = await this.invitations.listOfTenant(ctx, page);
    return { ...found, items: found.items.map(toTenantInvitation) };
  }

  /** @throws `accounts.invitation_not_found` */
  async withdraw(ctx: RequestContext, tenantId: string, id: string): Promise<void> {
    requireActingTenant(ctx, tenantId);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const withdrawn = isUuid(id) && (await this.invitations.withdraw(inner, id));
      if (!withdrawn) throw accountErrors.invitation_not_found({});
      await this.audit.append(inner, { event: 'invitation.withdrawn', subject: `invitation:${id.toLowerCase()}` });
    });
  }

  /** Does the same work whether the address has an account or not. */
  private async hashGiven(ctx: RequestContext, wanted: InviteMemberDto): Promise<string | null> {
    if (wanted.password === undefined) return null;
    this.passwords.refuseWhereOff();
    const personal = [wanted.email, (await this.tenants.findName(ctx)) ?? ''];
    const like = await this.accounts.findHashOfAddress(ctx, wanted.email, null);
    return this.passwords.hashNew('password', wanted.password, personal, like);
  }

  /** Creates an account that belongs only to this tenant, in place of an unused one of an earlier invitation. */
  private async makeAccount(ctx: TransactionContext, email: string, passwordHash: string): Promise<AccountId> {
    await this.invitations.removeUnusedAccountFor(ctx, email);
    return this.accounts.insert(ctx, { email, passwordHash });
  }
}
