import { SystemClock, type Clock } from '#libs/common';
import type { AccessTokenVerifier, TokenSubject } from '../sessions/access-token-verifiers.service.js';
import type { RefusedToken } from '../sessions/token-refusal.js';
import { findOtherKind } from './access-token-signs.js';
import type { ClaimWarnings } from './claim-warnings.js';
import type { OidcAccounts } from './oidc-accounts.service.js';
import { readClaims, type ClaimMapping } from '../identities/oidc-claims.js';
import { OidcDiscovery } from './oidc-discovery.js';
import { OidcKeys } from './oidc-keys.js';
import { checkToken, SKEW_SECONDS } from './token-check.js';

export interface OidcIssuer extends ClaimMapping {
  /** The exact `iss` of the issuer's tokens. */
  readonly issuer: string;
  /** Audience that `aud` must contain. */
  readonly audience: string;
  /** Accepted algorithms, whatever a token names. */
  readonly algorithms: readonly string[];
}

/** Verifies access tokens of an OpenID Connect issuer with its published keys. They identify the caller, but never give permissions. */
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
    this.keys = new OidcKeys(new OidcDiscovery(settings.issuer));
  }

  /** @throws `accounts.issuer_unavailable` when its keys are unavailable */
  async findSubject(token: string): Promise<TokenSubject | RefusedToken> {
    const rules = { ...this.settings, requiredClaims: ['sub', 'exp'] };
    const checked = await checkToken(token, this.keys.find, rules, this.clock);
    if ('refused' in checked) return checked;
    const other = findOtherKind(checked.protectedHeader, checked.payload);
    if (other !== null) return { refused: other };
    const subject = readClaims(checked.payload, this.settings);
    if (subject === null) return { refused: 'claims' };
    this.warnings.note(subject.unknown);
    const expiresAt = checked.payload.exp! + SKEW_SECONDS;
    return { accountId: await this.accounts.ensure(this.issuer, subject), tokenVersion: null, expiresAt };
  }
}
