import { decodeJwt, errors } from 'jose';
import type { AccountId } from '#libs/common';

/** Whose a token is, as it says. */
export interface TokenSubject {
  readonly accountId: AccountId;
  /** The account's version of tokens when it was issued: a token of another version is no longer accepted. null: it names none. */
  readonly tokenVersion: number | null;
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
  /** The account, or null for a token that is malformed, forged, expired or of nobody. */
  findSubject(token: string): Promise<TokenSubject | null>;
}

/** The verifiers by issuer: a token is checked by the one that its `iss` names, and by no other. */
export class AccessTokenVerifiers {
  private readonly byIssuer: ReadonlyMap<string, AccessTokenVerifier>;

  constructor(verifiers: readonly AccessTokenVerifier[]) {
    this.byIssuer = new Map(verifiers.map((verifier) => [verifier.issuer, verifier]));
    if (this.byIssuer.size !== verifiers.length) throw new Error('Two verifiers check the tokens of one issuer.');
  }

  async findSubject(token: string): Promise<TokenSubject | null> {
    const issuer = claimedIssuer(token);
    if (issuer === undefined) return null;
    return (await this.byIssuer.get(issuer)?.findSubject(token)) ?? null;
  }
}

/** What the token says of its issuer, not yet believed: it only chooses who checks the token. */
function claimedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
