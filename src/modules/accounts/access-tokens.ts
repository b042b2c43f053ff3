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

/** The service's own access tokens: they say who, never what he may do. */
export class AccessTokens implements AccessTokenVerifier {
  readonly issuer = TOKEN_ISSUER;

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

  /** The algorithm is the key's and never the token's choice. */
  async findAccountId(token: string): Promise<AccountId | null> {
    try {
      const { payload } = await jwtVerify(token, this.key.verifyWith, {
        algorithms: [this.key.algorithm],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: this.clock.now(),
      });
      return isUuid(payload.sub) ? (payload.sub as AccountId) : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
