import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import {
  Authenticator,
  type AuthenticatedAccount,
  type AuthenticatedApiKey,
  type RefusedCredential,
} from '#libs/tenancy';
import { AccessTokenVerifiers } from './access-token-verifiers.service.js';
import { matchesApiKeyHash, parseApiKey } from '../api-keys/api-key-secret.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';

/** Finds the principal of a credential. Tokens and keys only identify it: permissions and state are read at each request. */
@Injectable()
export class AccountAuthenticator extends Authenticator {
  constructor(
    private readonly verifiers: AccessTokenVerifiers,
    private readonly credentials: CredentialsRepository,
  ) {
    super();
  }

  async findByAccessToken(token: string): Promise<AuthenticatedAccount | RefusedCredential> {
    const subject = await this.verifiers.findSubject(token);
    if ('refused' in subject) return subject;
    const { accountId, tokenVersion, sessionId, expiresAt } = subject;
    const found = await this.findAccount(accountId, tokenVersion === null ? null : String(tokenVersion), sessionId);
    return 'refused' in found || expiresAt === undefined ? found : { ...found, expiresAt };
  }

  async findNow(
    identity: AuthenticatedAccount | AuthenticatedApiKey,
  ): Promise<AuthenticatedAccount | AuthenticatedApiKey | RefusedCredential> {
    if (!('keyId' in identity)) return this.findAccount(identity.accountId, identity.stamp, identity.sessionId);
    const { keyId, stamp } = identity;
    const standing = await this.credentials.findApiKey(keyId);
    return standing?.key.stamp === stamp ? standing.key : { refused: 'unknown_or_expired', keyId };
  }

  private async findAccount(
    accountId: AccountId,
    stamp: string | null,
    sessionId: string | undefined,
  ): Promise<AuthenticatedAccount | RefusedCredential> {
    const standing = await this.credentials.findAccount(accountId);
    if (standing === null) return { refused: 'account_inactive', accountId };
    const isCurrent = stamp === null || stamp === String(standing.tokenVersion);
    if (!isCurrent) return { refused: 'sessions_ended', accountId };
    return { ...standing.account, stamp, ...(sessionId === undefined ? {} : { sessionId }) };
  }

  async findByApiKey(key: string): Promise<AuthenticatedApiKey | RefusedCredential> {
    const parsed = parseApiKey(key);
    if (parsed === null) return { refused: 'invalid' };
    const { id: keyId } = parsed;
    const standing = await this.credentials.findApiKey(keyId);
    if (standing === undefined) return { refused: 'unknown_or_expired', keyId };
    if (!matchesApiKeyHash(parsed.secret, standing.secretHash)) {
      return { refused: 'wrong_secret', keyId, accountId: standing.key.accountId };
    }
    if (!standing.useIsNoted) await this.credentials.noteApiKeyUse(parsed.id);
    return standing.key;
  }
}
