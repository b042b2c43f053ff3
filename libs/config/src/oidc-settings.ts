import { list, oneOf, optionalText, type Setting } from './setting.js';

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

/** People and access tokens of an OpenID Connect issuer. */
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
  authOidcClientId: optionalText('AUTH_OIDC_CLIENT_ID', {
    section: AUTH,
    description:
      'Name under which the issuer knows this service as a client: people can then sign in there (authorisation code flow with PKCE). Needs PUBLIC_URL; the address to come back to is <PUBLIC_URL>/api/v1/auth/oidc/callback.',
  }),
  authOidcClientSecret: optionalText('AUTH_OIDC_CLIENT_SECRET', {
    section: AUTH,
    secret: true,
    description: 'Secret of that client. Empty for a public client.',
  }),
  authPasswordLogin: oneOf('AUTH_PASSWORD_LOGIN', ['on', 'off'], 'on', {
    section: AUTH,
    description:
      'Whether people can log in with e-mail and password. When off, they sign in at the issuer alone, the first administrator included; sessions that were begun before go on.',
  }),
};
