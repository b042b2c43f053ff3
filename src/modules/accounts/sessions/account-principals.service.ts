import { Injectable } from '@nestjs/common';
import type { TenantId } from '#libs/common';
import {
  PresentPrincipals,
  principalOfAccount,
  principalOfKey,
  type Principal,
  type PrincipalReference,
} from '#libs/tenancy';
import { CredentialsRepository } from '../credentials/credentials.repository.js';

/** Reads the present permissions of accounts and API keys, as the guard does at each request. */
@Injectable()
export class AccountPrincipals extends PresentPrincipals {
  constructor(private readonly credentials: CredentialsRepository) {
    super();
  }

  async find(tenantId: TenantId, reference: PrincipalReference): Promise<Principal | null> {
    if (reference.kind === 'account') {
      const standing = await this.credentials.findAccount(reference.accountId);
      if (standing === null) return null;
      const principal = principalOfAccount(standing.account, tenantId);
      return principal.kind === 'account' && principal.role !== null ? principal : null;
    }
    const key = (await this.credentials.findApiKey(reference.keyId))?.key;
    return key === undefined || key.tenantId !== tenantId || key.accountRole === null
      ? null
      : principalOfKey(key, true);
  }
}
