import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import type { RequestContext, Role } from '#libs/tenancy';
import { MembersRepository } from '../record/members.repository.js';

/** The members of a tenant, for modules that depend on accounts. */
@Injectable()
export class MemberDirectory {
  constructor(private readonly members: MembersRepository) {}

  /** The role of an account in the tenant of `ctx`; null when it does not belong to it. */
  async roleOf(ctx: RequestContext, accountId: AccountId): Promise<Role | null> {
    return (await this.members.find(ctx, accountId))?.role ?? null;
  }

  /** The accounts that do not belong to the tenant of `ctx`, in the given order; empty when all are members. */
  async areMembers(ctx: RequestContext, accountIds: readonly AccountId[]): Promise<AccountId[]> {
    if (accountIds.length === 0) return [];
    const members = new Set<string>(await this.members.findMembersAmong(ctx, accountIds));
    return accountIds.filter((id) => !members.has(id.toLowerCase()));
  }
}
