import { decodeJwt, errors, type JWTPayload } from 'jose';
import type { AccountId } from '#libs/common';
import type { RefusedToken } from './token-refusal.js';

/** The subject of a token. */
export interface TokenSubject {
  readonly accountId: AccountId;
  /** The account's token version when the token was issued; a token of another version is no longer accepted. Null: not in the token. */
  readonly tokenVersion: number | null;
  /** The session of the token; absent: not in the token. */
  readonly sessionId?: string;
  /** Time of expiry, in seconds since 1970. */
  readonly expiresAt?: number;
}

/** The subject of a token of the service itself, which always contains a version. */
export interface OwnTokenSubject extends TokenSubject {
  readonly tokenVersion: number;
}

/** Verifies the access tokens of one issuer (the service itself or an OpenID Connect issuer) and finds their subject. */
export interface AccessTokenVerifier {
  /** The exact `iss` of the tokens that it verifies. */
  readonly issuer: string;
  /** The account, or why the token is not accepted: malformed, forged, expired, not an access token, without an account. */
  findSubject(token: string): Promise<TokenSubject | RefusedToken>;
}

/** The verifiers by issuer; only the verifier of a token's `iss` checks it. */
export class AccessTokenVerifiers {
  private readonly byIssuer: ReadonlyMap<string, AccessTokenVerifier>;

  constructor(verifiers: readonly AccessTokenVerifier[]) {
    this.byIssuer = new Map(verifiers.map((verifier) => [verifier.issuer, verifier]));
    if (this.byIssuer.size !== verifiers.length) throw new Error('Two verifiers check the tokens of one issuer.');
  }

  async findSubject(token: string): Promise<TokenSubject | RefusedToken> {
    const claims = claimsOf(token);
    if (claims === undefined) return { refused: 'invalid' };
    const verifier = claims.iss === undefined ? undefined : this.byIssuer.get(claims.iss);
    return verifier === undefined ? { refused: 'issuer' } : verifier.findSubject(token);
  }
}

/** The unverified claims of a token; the issuer in them only selects the verifier. Undefined for text that is no token. */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
