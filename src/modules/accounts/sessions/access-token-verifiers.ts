import { decodeJwt, errors, type JWTPayload } from 'jose';
import type { AccountId } from '#libs/common';
import type { RefusedToken } from './token-refusal.js';

/** Whose a token is, as it says. */
export interface TokenSubject {
  readonly accountId: AccountId;
  /** The account's version of tokens when it was issued: a token of another version is no longer accepted. null: it names none. */
  readonly tokenVersion: number | null;
  /** The session that it was given out in; absent where the token names none. */
  readonly sessionId?: string;
  /** When it runs out; seconds since 1970. */
  readonly expiresAt?: number;
}

/** Whose a token of the service's own is: it always names a version. */
export interface OwnTokenSubject extends TokenSubject {
  readonly tokenVersion: number;
}

/**
 * Checks the access tokens of one issuer and says whose they are: the service's own, or those of an OpenID Connect issuer.
 */
export interface AccessTokenVerifier {
  /** The exact `iss` of the tokens it checks. */
  readonly issuer: string;
  /** The account, or why the token is not accepted: malformed, forged, expired, not an access token, of no one. */
  findSubject(token: string): Promise<TokenSubject | RefusedToken>;
}

/** The verifiers by issuer: a token is checked by the one that its `iss` names, and by no other. */
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

/** What the token says, not yet believed: its issuer only chooses who checks it. Undefined for text that is no token. */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
