import { Injectable } from '@nestjs/common';
import { isUuid, type AccountId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext, Role } from '#libs/tenancy';
import type { MemberRow } from '../record/account.entity.js';
import { accountErrors } from '../accounts.errors.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { DatasetOwnershipPort } from '../record/dataset-ownership.port.js';
import type { Member, MemberPage } from './member.dto.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import type { ListPage } from '../record/list-order.repository.js';
import { requireActingTenant, requireRoleWithinOwn } from '../record/member-rights.js';
import { MembersRepository } from '../record/members.repository.js';

/** The members of the tenant that the caller acts in. Every change is one transaction with its audit entry. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly accounts: AccountsRepository,
    private readonly datasets: DatasetOwnershipPort,
    private readonly invitations: InvitationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** @throws `accounts.tenant_not_found` */
  async list(ctx: RequestContext, tenantId: string, page: ListPage): Promise<MemberPage> {
    requireActingTenant(ctx, tenantId);
    const found = await this.members.list(ctx, page);
    return { ...found, items: found.items.map(toMember) };
  }

  /** @throws `accounts.member_not_found`, `accounts.role_beyond_own`, `accounts.last_owner` */
  async changeRole(ctx: RequestContext, tenantId: string, accountId: string, role: Role): Promise<Member> {
    requireActingTenant(ctx, tenantId);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.members.lock(inner);
      const member = await this.require(inner, accountId);
      requireRoleWithinOwn(inner, member.role);
      requireRoleWithinOwn(inner, role);
      if (member.role === role) return toMember(member);
      await this.requireAnotherOwner(inner, member);
      await this.members.changeRole(inner, member.account_id, role);
      await this.invitations.withdrawAllBy(inner, member.account_id);
      await this.audit.append(inner, {
        event: 'member.role_changed',
        subject: `account:${member.account_id}`,
        details: { from: member.role, to: role },
      });
      return toMember({ ...member, role });
    });
  }

  /**
   * Ends the membership from the next request on; datasets are transferred to `transferTo` first. @throws `accounts.member_owns_datasets`
   * and as `changeRole`
   */
  async remove(
    ctx: RequestContext,
    tenantId: string,
    accountId: string,
    transferTo: string | undefined,
  ): Promise<void> {
    requireActingTenant(ctx, tenantId);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.members.lock(inner);
      const member = await this.require(inner, accountId);
      requireRoleWithinOwn(inner, member.role);
      await this.requireAnotherOwner(inner, member);
      const passedOn = await this.passOn(inner, member.account_id, transferTo);
      await this.members.remove(inner, member.account_id);
      await this.invitations.withdrawAllBy(inner, member.account_id);
      await this.accounts.moveDefaultFrom(inner, member.account_id, inner.tenantId);
      await this.audit.append(inner, {
        event: 'member.removed',
        subject: `account:${member.account_id}`,
        details: { role: member.role, datasets: passedOn, transferred_to: passedOn > 0 ? (transferTo ?? null) : null },
      });
    });
  }

  /** Transfers the member's datasets; resolves to their number. */
  private async passOn(ctx: TransactionContext, from: AccountId, transferTo: string | undefined): Promise<number> {
    if (transferTo?.toLowerCase() === from) {
      const detail = 'must name another member than the removed one';
      throw validationFailed([{ pointer: '/transfer_to', code: 'another_member', detail }]);
    }
    const heir = transferTo === undefined ? undefined : await this.require(ctx, transferTo);
    const count = await this.datasets.countOwned(ctx, from);
    if (count === 0) return 0;
    if (heir === undefined) throw accountErrors.member_owns_datasets({ count });
    await this.datasets.transfer(ctx, from, heir.account_id);
    return count;
  }

  private async require(ctx: TransactionContext, accountId: string): Promise<MemberRow> {
    const member = isUuid(accountId) ? await this.members.find(ctx, accountId as AccountId) : undefined;
    if (member === undefined) throw accountErrors.member_not_found({ accountId });
    return member;
  }

  private async requireAnotherOwner(ctx: TransactionContext, member: MemberRow): Promise<void> {
    if (member.role === 'owner' && (await this.members.countOwners(ctx)) < 2) throw accountErrors.last_owner({});
  }
}

function toMember(row: MemberRow): Member {
  return {
    account_id: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
  };
}
