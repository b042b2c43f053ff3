import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId, DocumentId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import { ROLE_PERMISSIONS } from '#libs/tenancy';
import { MemberDirectory, TenantDirectory } from '../../accounts/index.js';
import { QuarantinesRepository } from './quarantines.repository.js';

/** A document whose release waits for another account. */
export interface AskedRelease {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  /** Whether this call made the request; false: the account had made it before. */
  readonly isNew: boolean;
}

/** The rule of who may release a document: one account, or two if the tenant has `release_needs_two`. An API key counts as its account. */
@Injectable()
export class ReleaseRule {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly quarantines: QuarantinesRepository,
    private readonly members: MemberDirectory,
  ) {}

  /**
   * Requests the release of visible documents for which no other account has requested it. Documents that are not in the result may be
   * released by the caller. A request of an account that has lost `governance:write` since is ignored.
   */
  async ask(ctx: TransactionContext, documentIds: readonly string[]): Promise<readonly AskedRelease[]> {
    const { principal } = ctx;
    if (principal.kind === 'system' || !(await this.tenants.releaseNeedsTwo(ctx))) return [];
    // Locked until the end of the transaction, so that of two simultaneous calls one requests and the other grants.
    const open = await this.quarantines.lockOpen(ctx, documentIds);
    const others = new Set(open.flatMap(({ asked_by: by }) => (by === null || by === principal.accountId ? [] : [by])));
    const entitled = await this.entitledAmong(ctx, others);
    const waiting = open.filter(({ asked_by: by }) => by === null || !entitled.has(by));
    const isNew = waiting.filter(({ asked_by: by }) => by !== principal.accountId).map(({ id }) => id);
    await this.quarantines.noteAsked(ctx, isNew, principal.accountId);
    return waiting.map(({ id, dataset_id }) => ({ id, dataset_id, isNew: isNew.includes(id) }));
  }

  private async entitledAmong(ctx: TransactionContext, accounts: ReadonlySet<AccountId>): Promise<Set<AccountId>> {
    const entitled = new Set<AccountId>();
    for (const accountId of accounts) {
      const role = await this.members.roleOf(ctx, accountId);
      if (role !== null && ROLE_PERMISSIONS[role].includes('governance:write')) entitled.add(accountId);
    }
    return entitled;
  }
}
