import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { MemberDirectory } from '../../accounts/index.js';
import { toIdSet } from '../record/id-set.js';

/** The accounts that a `partial_members` dataset lists. */
@Injectable()
export class PartialMembers {
  constructor(private readonly directory: MemberDirectory) {}

  /** The list in its stored form: each account once, in ascending order. @throws 422 naming every account outside the tenant. */
  async require(ctx: RequestContext, accountIds: readonly string[]): Promise<AccountId[]> {
    const wanted = toIdSet<AccountId>(accountIds);
    if (wanted.length === 0) return wanted;
    const strangers = await this.directory.areMembers(ctx, wanted);
    if (strangers.length === 0) return wanted;
    const sent = accountIds.map((id) => id.toLowerCase());
    throw validationFailed(
      strangers.map((id) => ({
        pointer: `/partial_member_list/${sent.indexOf(id)}`,
        code: 'is_member',
        detail: `${id} is not a member of the tenant`,
      })),
    );
  }

  /** Those of a stored list that still belong to the tenant. */
  async remaining(ctx: RequestContext, accountIds: readonly AccountId[]): Promise<AccountId[]> {
    const strangers = new Set(await this.directory.areMembers(ctx, accountIds));
    return accountIds.filter((id) => !strangers.has(id));
  }
}
