import { errors, jwtVerify, type JWTPayload, type JWTVerifyResult } from 'jose';
import { reasonOf, SystemClock, type Clock } from '#libs/common';
import type { AccessTokenVerifier, TokenSubject } from '../access-token-verifiers.js';
import { refusalOf, type RefusedToken } from '../token-refusal.js';
import { findOtherKind } from './access-token-signs.js';
import type { ClaimWarnings } from './claim-warnings.js';
import type { OidcAccounts } from './oidc-accounts.js';
import { readClaims, type ClaimMapping } from './oidc-claims.js';
import { issuerUnavailable, OidcKeys } from './oidc-keys.js';

/** Difference between the issuer's clock and this one that is forgiven. */
const SKEW_SECONDS = 60;

export interface OidcIssuer extends ClaimMapping {
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  /** What their `aud` must name. */
  readonly audience: string;
  /** The algorithms that are accepted, whatever a token names. */
  readonly algorithms: readonly string[];
}

/** Access tokens of an OpenID Connect issuer, checked with its published keys. They say who, never what he may do. */
export class OidcTokens implements AccessTokenVerifier {
  readonly issuer: string;
  private readonly keys: OidcKeys;

  constructor(
    private readonly settings: OidcIssuer,
    private readonly accounts: OidcAccounts,
    private readonly warnings: ClaimWarnings,
    private readonly clock: Clock = new SystemClock(),
  ) {
    this.issuer = settings.issuer;
    this.keys = new OidcKeys(settings.issuer);
  }

  /** @throws `accounts.issuer_unavailable` when its keys cannot be had */
  async findSubject(token: string): Promise<TokenSubject | RefusedToken> {
    const claims = await this.verify(token);
    if ('refused' in claims) return claims;
    const subject = readClaims(claims.verified, this.settings);
    if (subject === null) return { refused: 'claims' };
    this.warnings.note(subject.unknown);
    return { accountId: await this.accounts.ensure(this.issuer, subject), tokenVersion: null };
  }

  private async verify(token: string): Promise<{ readonly verified: JWTPayload } | RefusedToken> {
    try {
      const { payload, protectedHeader } = await this.check(token);
      const other = findOtherKind(protectedHeader, payload);
      return other === null ? { verified: payload } : { refused: other };
    } catch (error) {
      if (isOutage(error)) throw issuerUnavailable(reasonOf(error), error);
      if (error instanceof errors.JOSEError) return refusalOf(error);
      throw error;
    }
  }

  private check(token: string): Promise<JWTVerifyResult> {
    return jwtVerify(token, this.keys.find, {
      algorithms: [...this.settings.algorithms],
      issuer: this.issuer,
      audience: this.settings.audience,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: SKEW_SECONDS,
      currentDate: this.clock.now(),
    });
  }
}

/** The keys could not be fetched: nothing is known of the token. `fetch` throws a TypeError; an answer that is no set of keys is an invalid one. */
function isOutage(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JOSE_GENERIC';
  return error instanceof TypeError && error.message === 'fetch failed';
}
