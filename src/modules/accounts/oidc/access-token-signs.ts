import type { JWTHeaderParameters, JWTPayload } from 'jose';
import type { TokenRefusal } from '#libs/tenancy';

type OtherKind = Extract<TokenRefusal, 'id_token' | 'refresh_token' | 'no_access_token'>;

/**
 * Names of token kinds that are no access tokens, in lower case: `typ` in Keycloak's claims, `token_use` in Cognito's, `token_type` in
 * others.
 */
const NAMED: ReadonlyMap<string, OtherKind> = new Map([
  ['id', 'id_token'],
  ['id_token', 'id_token'],
  ['serialized-id', 'id_token'],
  ['refresh', 'refresh_token'],
  ['refresh_token', 'refresh_token'],
  ['offline', 'refresh_token'],
  ['offline_token', 'refresh_token'],
  ['logout', 'no_access_token'],
]);
/** Claims with the kind of a token. */
const NAMING_CLAIMS = ['typ', 'token_use', 'token_type'] as const;
/** Claims that only ID tokens have (OpenID Connect Core 1.0, sections 2, 3.1.3.6 and 3.3.2.11). */
const CLAIMS_OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const;
/** `typ` of an access token's header (RFC 9068, section 2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';

/**
 * The kind of a token that is no access token; null if it may be one. A claim may name several kinds. A header with another explicit type
 * (RFC 8725, section 3.11) excludes an access token. The header type `JWT` means nothing, because many issuers write it into every token;
 * then the claims with the kind decide, and without them the claims that only ID tokens have.
 */
export function findOtherKind(header: JWTHeaderParameters, claims: JWTPayload): OtherKind | null {
  const named = NAMING_CLAIMS.flatMap((claim) => namesIn(claims[claim]));
  for (const name of named) {
    const kind = NAMED.get(name.toLowerCase());
    if (kind !== undefined) return kind;
  }
  const type = header.typ?.toLowerCase().replace(/^application\//, '');
  if (type === ACCESS_TOKEN_TYPE) return null;
  if (type?.endsWith('+jwt')) return 'no_access_token';
  const looksLikeIdToken = CLAIMS_OF_ID_TOKENS.some((claim) => claims[claim] !== undefined);
  return named.length === 0 && looksLikeIdToken ? 'id_token' : null;
}

function namesIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}
