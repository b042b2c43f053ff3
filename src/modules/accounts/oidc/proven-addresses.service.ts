import { Injectable } from '@nestjs/common';
import { newId, NOWHERE_TENANT, type AccountId, type TenantId } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { RefreshTokensRepository } from '../sessions/refresh-tokens.repository.js';
import type { OidcSubject } from '../identities/oidc-claims.js';
import { OidcIdentitiesRepository, type JoinableAccount } from '../identities/oidc-identities.repository.js';

/**
 * Joins accounts when an issuer confirms that it has verified a subject's address, which is the only proof of an address. The accounts with
 * the address are joined to the subject's account: they continue in their tenants, and the subject acts as them; earlier passwords, API
 * keys and sessions end. The account of the installation's administrator and accounts of other subjects are never joined.
 */
@Injectable()
export class ProvenAddresses {
  constructor(
    private readonly identities: OidcIdentitiesRepository,
    private readonly refreshTokens: RefreshTokensRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** Idempotent; of simultaneous requests, only one joins each account. */
  async prove(issuer: string, accountId: AccountId, subject: OidcSubject): Promise<void> {
    const { email } = subject;
    if (email === null) return;
    const ctx = contextIn(NOWHERE_TENANT);
    await this.unitOfWork.run(ctx, (_manager, inner) => this.identities.renewAddress(inner, accountId, subject));
    for (const account of await this.identities.findJoinable(ctx, email)) {
      await this.join(issuer, accountId, account, email);
    }
  }

  private async join(issuer: string, main: AccountId, account: JoinableAccount, email: string): Promise<void> {
    const { id, default_tenant_id: tenantId } = account;
    await this.unitOfWork.run(contextIn(tenantId ?? NOWHERE_TENANT), async (_manager, inner) => {
      if (!(await this.identities.join(inner, id, main, email))) return;
      await this.refreshTokens.endAllOf(inner, id);
      await this.audit.append(inner, { event: 'account.joined', subject: `account:${id}`, details: { issuer } });
    });
  }
}

function contextIn(tenantId: TenantId): RequestContext {
  return { tenantId, principal: { kind: 'system', permissions: new Set() }, requestId: newId() };
}
