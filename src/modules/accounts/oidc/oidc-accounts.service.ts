import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT, type AccountId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { AccountsRepository } from '../record/accounts.repository.js';
import { MembersRepository } from '../record/members.repository.js';
import { TenantsRepository } from '../record/tenants.repository.js';
import type { OidcSubject } from '../identities/oidc-claims.js';
import { OidcIdentitiesRepository } from '../identities/oidc-identities.repository.js';
import { ProvenAddresses } from './proven-addresses.service.js';

/**
 * The accounts of subjects of an OpenID Connect issuer, found only by issuer and subject. A new subject gets a new account.
 * `ProvenAddresses` handles addresses that the issuer has verified.
 */
@Injectable()
export class OidcAccounts {
  constructor(
    private readonly identities: OidcIdentitiesRepository,
    private readonly addresses: ProvenAddresses,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly tenants: TenantsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** The subject's account; if there is none, it is created and added to the tenant that a mapped claim names. */
  async ensure(issuer: string, subject: OidcSubject): Promise<AccountId> {
    const known = await this.identities.find(issuer, subject);
    const accountId = known?.account_id ?? (await this.make(issuer, subject));
    if (known?.proves ?? true) await this.addresses.prove(issuer, accountId, subject);
    return accountId;
  }

  private async make(issuer: string, subject: OidcSubject): Promise<AccountId> {
    const tenantId = subject.tenantId ?? NOWHERE_TENANT;
    const ctx: RequestContext = { tenantId, principal: { kind: 'system', permissions: new Set() }, requestId: newId() };
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      // Simultaneous requests of one subject create one account.
      await this.identities.lock(inner, issuer, subject.subject);
      const known = await this.identities.find(issuer, subject, inner);
      if (known !== undefined) return known.account_id;
      const accountId = await this.insertAccount(inner, issuer, subject);
      await this.identities.insert(inner, issuer, subject, accountId);
      if (await this.isJoining(inner, subject)) await this.join(inner, accountId, subject, issuer);
      return accountId;
    });
  }

  /** Whether the mapped claim names a tenant to which none of the accounts to be joined belongs. */
  private async isJoining(ctx: TransactionContext, { tenantId, email }: OidcSubject): Promise<boolean> {
    if (tenantId === null || !(await this.tenants.exists(ctx, tenantId))) return false;
    const joinable = email === null ? [] : await this.identities.findJoinable(ctx, email);
    const ids = joinable.map(({ id }) => id);
    return (await this.members.findMembersAmong(ctx, ids)).length === 0;
  }

  private insertAccount(ctx: TransactionContext, issuer: string, subject: OidcSubject): Promise<AccountId> {
    const name = subject.name ?? subject.email?.slice(0, subject.email.lastIndexOf('@')) ?? 'OpenID Connect account';
    const email = subject.email ?? placeholderOf(issuer, subject.subject);
    return this.accounts.insertWithoutPassword(ctx, { email, name });
  }

  private async join(
    ctx: TransactionContext,
    accountId: AccountId,
    subject: OidcSubject,
    issuer: string,
  ): Promise<void> {
    const { role } = subject;
    await this.members.lock(ctx);
    await this.members.insert(ctx, ctx.tenantId, accountId, role);
    await this.accounts.defaultTo(ctx, accountId, ctx.tenantId);
    await this.audit.append(ctx, { event: 'member.added', subject: `account:${accountId}`, details: { role, issuer } });
  }
}

/** Placeholder for the unknown address of an account; the domain does not exist (RFC 2606). */
function placeholderOf(issuer: string, subject: string): string {
  const hash = createHash('sha256').update(`${issuer}\n${subject}`).digest('hex');
  return `${hash.slice(0, 32)}@oidc.invalid`;
}
