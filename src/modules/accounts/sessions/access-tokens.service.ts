import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { isUuid, newId, SystemClock, type AccountId, type Clock } from '#libs/common';
import type { AccessTokenVerifier, OwnTokenSubject } from './access-token-verifiers.service.js';
import type { TokenKeys, VerificationKey } from '../credentials/signing-key.js';
import { refusalOf, type RefusedToken } from './token-refusal.js';

export const TOKEN_ISSUER = 'knowledge-base';
export const TOKEN_AUDIENCE = 'knowledge-base-api';

/** An access token with its lifetime in seconds. */
export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** Maximum number of remembered tokens. */
const MOST_VERIFIED = 1_000;

/** Claim with the account's token version; a token without it has version 0. */
const VERSION_CLAIM = 'ver';
/** Claim with the session (OpenID Connect Front-Channel Logout 1.0, section 3); tokens of earlier versions have none. */
const SESSION_CLAIM = 'sid';

interface VerifiedToken extends OwnTokenSubject {
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The service's own access tokens. They identify the caller, but never give permissions. */
export class AccessTokens implements AccessTokenVerifier {
  readonly issuer = TOKEN_ISSUER;
  /** Tokens whose signature and claims were verified; neither changes, so later requests need no other verification. */
  private readonly verified = new Map<string, VerifiedToken>();

  constructor(
    private readonly keys: TokenKeys,
    private readonly lifetimeSeconds: number,
    private readonly clock: Clock = new SystemClock(),
  ) {}

  async issue({ accountId, tokenVersion, sessionId }: OwnTokenSubject): Promise<IssuedAccessToken> {
    const { signing } = this.keys;
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const session = sessionId === undefined ? {} : { [SESSION_CLAIM]: sessionId };
    const token = await new SignJWT({ [VERSION_CLAIM]: tokenVersion, ...session })
      .setProtectedHeader({ alg: signing.algorithm, typ: 'JWT', kid: signing.kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(accountId)
      .setJti(newId())
      .setIssuedAt(now)
      .setExpirationTime(now + this.lifetimeSeconds)
      .sign(signing.signWith);
    return { token, expiresInSeconds: this.lifetimeSeconds };
  }

  async findSubject(token: string): Promise<OwnTokenSubject | RefusedToken> {
    const now = this.clock.now().getTime() / 1000;
    const known = this.verified.get(token);
    if (known !== undefined && known.issuedAt <= now && now < known.expiresAt) return known;
    const verified = await this.verify(token);
    this.verified.delete(token);
    if ('refused' in verified) return verified;
    this.verified.set(token, verified);
    if (this.verified.size > MOST_VERIFIED) this.verified.delete(this.verified.keys().next().value!);
    return verified;
  }

  /** If several keys refuse the token, the error of the key that signed it is used. */
  private async verify(token: string): Promise<VerifiedToken | RefusedToken> {
    let refusal: RefusedToken = { refused: 'key' };
    for (const key of this.keysFor(token)) {
      const verified = await this.verifyWith(key, token);
      if (!('refused' in verified)) return verified;
      if (verified.refused !== 'key' && verified.refused !== 'algorithm') refusal = verified;
    }
    return refusal;
  }

  /** The key that the token names, or else all keys, because tokens of earlier versions name none. */
  private keysFor(token: string): readonly VerificationKey[] {
    const keys = [this.keys.signing, ...this.keys.former];
    const kid = namedKey(token);
    return kid === undefined ? keys : keys.filter((key) => key.kid === kid);
  }

  /** The algorithm is determined by the key and never by the token. */
  private async verifyWith(key: VerificationKey, token: string): Promise<VerifiedToken | RefusedToken> {
    try {
      const { payload } = await jwtVerify(token, key.verifyWith, {
        algorithms: [key.algorithm],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: this.clock.now(),
      });
      const { sub, iat: issuedAt = 0, exp: expiresAt = 0 } = payload;
      const tokenVersion = payload[VERSION_CLAIM] ?? 0;
      if (!isUuid(sub) || typeof tokenVersion !== 'number') return { refused: 'claims' };
      const sessionId = payload[SESSION_CLAIM];
      const session = typeof sessionId === 'string' ? { sessionId } : {};
      return { accountId: sub as AccountId, tokenVersion, ...session, issuedAt, expiresAt };
    } catch (error) {
      if (error instanceof errors.JOSEError) return refusalOf(error);
      throw error;
    }
  }
}

/** The unverified `kid` of the token's header; it only selects the key. */
function namedKey(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch (error) {
    // Text that is no token is not verified by any key either.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
