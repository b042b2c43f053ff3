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
      'Address of an OpenID Connect issuer, exactly as its tokens name it in iss. Its access tokens (JWT) are accepted beside those of the service.',
  }),
  authOidcAudience: optionalText('AUTH_OIDC_AUDIENCE', {
    section: AUTH,
    description: 'Audience that tokens of the issuer must name in aud. Required with AUTH_OIDC_ISSUER.',
  }),
  authOidcAlgorithms: {
    ...list('AUTH_OIDC_ALGORITHMS', {
      section: AUTH,
      description: `Comma-separated algorithms that tokens of the issuer may be signed with, of ${OIDC_ALGORITHMS.join(', ')}.`,
    }),
    fallback: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  } satisfies Setting<readonly string[]>,
  authOidcTenantClaim: optionalText('AUTH_OIDC_TENANT_CLAIM', {
    section: AUTH,
    description:
      'Claim with the id of the tenant that a person joins at the first login, as a text or a list with one id; a path with dots leads into nested claims. Empty: people join only by invitation.',
  }),
  authOidcRoleClaim: optionalText('AUTH_OIDC_ROLE_CLAIM', {
    section: AUTH,
    description:
      'Claim with the role in that tenant: viewer, auditor, editor or admin; of a list, the strongest. A path with dots leads into nested claims (realm_access.roles). Without the claim the person becomes a viewer.',
  }),
  authOidcClientId: optionalText('AUTH_OIDC_CLIENT_ID', {
    section: AUTH,
    description:
      'Client id of this service at the issuer, with which people can sign in there (authorisation code flow with PKCE). Needs PUBLIC_URL; the redirect URI is <PUBLIC_URL>/api/v1/auth/oidc/callback.',
  }),
  authOidcClientSecret: optionalText('AUTH_OIDC_CLIENT_SECRET', {
    section: AUTH,
    secret: true,
    description: 'Client secret for AUTH_OIDC_CLIENT_ID. Empty: a public client.',
  }),
  authPasswordLogin: oneOf('AUTH_PASSWORD_LOGIN', ['on', 'off'], 'on', {
    section: AUTH,
    description:
      'Whether people can log in with e-mail and password. off: they sign in only at the issuer, also the first administrator; existing sessions continue.',
  }),
};
