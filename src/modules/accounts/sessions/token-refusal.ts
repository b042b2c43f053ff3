import { errors } from 'jose';
import type { TokenRefusal } from '#libs/tenancy';

/** An access token that is not accepted. */
export interface RefusedToken {
  readonly refused: TokenRefusal;
}

const BY_CLAIM: Readonly<Record<string, TokenRefusal>> = {
  iss: 'issuer',
  aud: 'audience',
  nbf: 'not_yet_valid',
  exp: 'expired',
};

/** Why `jose` has refused a token, as a code for the log. */
export function refusalOf(error: errors.JOSEError): RefusedToken {
  return { refused: reasonFor(error) };
}

function reasonFor(error: errors.JOSEError): TokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isMissingEnd = error.claim === 'exp' && error.reason === 'missing';
    return isMissingEnd ? 'claims' : (BY_CLAIM[error.claim] ?? 'claims');
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm';
  const isKey =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys;
  return isKey ? 'key' : 'invalid';
}
