import { errors, jwtVerify, SignJWT } from 'jose';
import { isUuid, newId, SystemClock, type AccountId, type Clock } from '#libs/common';
import type { AccessTokenVerifier } from './access-token-verifiers.js';
import type { SigningKey } from './signing-key.js';

export const TOKEN_ISSUER = 'knowledge-base';
export const TOKEN_AUDIENCE = 'knowledge-base-api';

/** An access token and for how many seconds it holds. */
export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** Signatures that are remembered. */
const MOST_VERIFIED = 1_000;

interface VerifiedToken {
  readonly accountId: AccountId;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The service's own access tokens: they say who, never what he may do. */
export class AccessTokens implements AccessTokenVerifier {
  readonly issuer = TOKEN_ISSUER;
  /** Tokens whose signature and claims were found right; neither changes, so a client's next request need not ask again. */
  private readonly verified = new Map<string, VerifiedToken>();

  constructor(
    private readonly key: SigningKey,
    private readonly lifetimeSeconds: number,
    private readonly clock: Clock = new SystemClock(),
  ) {}

  async issue(accountId: AccountId): Promise<IssuedAccessToken> {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: this.key.algorithm, typ: 'JWT' })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(accountId)
      .setJti(newId())
      .setIssuedAt(now)
      .setExpirationTime(now + this.lifetimeSeconds)
      .sign(this.key.signWith);
    return { token, expiresInSeconds: this.lifetimeSeconds };
  }

  async findAccountId(token: string): Promise<AccountId | null> {
    const now = this.clock.now().getTime() / 1000;
    const known = this.verified.get(token);
    if (known !== undefined && known.issuedAt <= now && now < known.expiresAt) return known.accountId;
    const verified = await this.verify(token);
    this.verified.delete(token);
    if (verified === null) return null;
    this.verified.set(token, verified);
    if (this.verified.size > MOST_VERIFIED) this.verified.delete(this.verified.keys().next().value!);
    return verified.accountId;
  }

  /** The algorithm is the key's and never the token's choice. */
  private async verify(token: string): Promise<VerifiedToken | null> {
    try {
      const { payload } = await jwtVerify(token, this.key.verifyWith, {
        algorithms: [this.key.algorithm],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: this.clock.now(),
      });
      const { sub, iat: issuedAt = 0, exp: expiresAt = 0 } = payload;
      return isUuid(sub) ? { accountId: sub as AccountId, issuedAt, expiresAt } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
