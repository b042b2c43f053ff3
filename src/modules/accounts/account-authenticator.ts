import { Injectable } from '@nestjs/common';
import { Authenticator, type AuthenticatedAccount, type AuthenticatedApiKey } from '#libs/tenancy';
import { AccessTokenVerifiers } from './access-token-verifiers.js';
import { matchesApiKeyHash, parseApiKey } from './api-key-secret.js';
import { CredentialsRepository } from './credentials.repository.js';

/** Says whose credential it is. Tokens and keys only name somebody: rights and state are read at each request. */
@Injectable()
export class AccountAuthenticator extends Authenticator {
  constructor(
    private readonly verifiers: AccessTokenVerifiers,
    private readonly credentials: CredentialsRepository,
  ) {
    super();
  }

  async findByAccessToken(token: string): Promise<AuthenticatedAccount | null> {
    const subject = await this.verifiers.findSubject(token);
    if (subject === null) return null;
    const standing = await this.credentials.findAccount(subject.accountId);
    return standing?.tokenVersion === subject.tokenVersion ? standing.account : null;
  }

  async findByApiKey(key: string): Promise<AuthenticatedApiKey | null> {
    const parsed = parseApiKey(key);
    if (parsed === null) return null;
    const standing = await this.credentials.findApiKey(parsed.id);
    if (standing === undefined || !matchesApiKeyHash(parsed.secret, standing.secretHash)) return null;
    if (!standing.useIsNoted) await this.credentials.noteApiKeyUse(parsed.id);
    return standing.key;
  }
}
