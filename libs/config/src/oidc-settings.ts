import { list, optionalText, type Setting } from './setting.js';

const AUTH = 'Authentication';

/**
 * Algorithms with a public key. `none` and those with a shared secret are none of them: the key that an issuer publishes would be
 * the secret.
 */
export const OIDC_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** Access tokens of an OpenID Connect issuer. */
export const OIDC_SETTINGS = {
  authOidcIssuer: optionalText('AUTH_OIDC_ISSUER', {
    section: AUTH,
    description:
      'Address of an OpenID Connect issuer, exactly as its tokens name it in iss. Its access tokens (JWT) are accepted beside the own ones.',
  }),
  authOidcAudience: optionalText('AUTH_OIDC_AUDIENCE', {
    section: AUTH,
    description: 'Audience that its tokens must name in aud. Required with AUTH_OIDC_ISSUER.',
  }),
  authOidcAlgorithms: {
    ...list('AUTH_OIDC_ALGORITHMS', {
      section: AUTH,
      description: `Comma-separated algorithms that its tokens may be signed with, of ${OIDC_ALGORITHMS.join(', ')}.`,
    }),
    fallback: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  } satisfies Setting<readonly string[]>,
  authOidcTenantClaim: optionalText('AUTH_OIDC_TENANT_CLAIM', {
    section: AUTH,
    description:
      'Claim that holds the id of the tenant which a subject joins at his first login, also in a list with one id; a path with dots leads into nested claims. Empty: he joins by an invitation alone.',
  }),
  authOidcRoleClaim: optionalText('AUTH_OIDC_ROLE_CLAIM', {
    section: AUTH,
    description:
      'Claim that holds his role there: viewer, auditor, editor or admin, of a list the strongest; a path with dots leads into nested claims (realm_access.roles). Without one he is a viewer.',
  }),
};
