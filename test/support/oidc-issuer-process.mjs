/**
 * A real OpenID Connect issuer (oidc-provider) in a process of its own. Its parent sends the configuration as a message and gets `ready` back:
 * `{port, keys, subjects}`, where `keys` are private JWKs, the first of which signs, and `subjects` are clients by name with the claims of
 * their access tokens. Tokens are had by client credentials: the client is the subject. With `web` (`{clientId, clientSecret, redirectUri}`)
 * people sign in by the authorisation code flow as well: those of `people`, by name with the claims of their ID tokens.
 */
import { once } from 'node:events';
import Provider from 'oidc-provider';

const [{ port, keys, subjects, web, people = {} }] = await once(process, 'message');
const issuer = `http://127.0.0.1:${port}`;
/** A client that people sign in to; all of it is granted without a question. */
const webClients =
  web === undefined
    ? []
    : [
        {
          client_id: web.clientId,
          client_secret: web.clientSecret,
          grant_types: ['authorization_code'],
          response_types: ['code'],
          redirect_uris: [web.redirectUri],
        },
      ];

async function grantAll({ oidc }) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

const provider = new Provider(issuer, {
  jwks: { keys },
  clients: [
    ...Object.keys(subjects).map((client_id) => ({
      client_id,
      client_secret: `secret of ${client_id}`,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    ...webClients,
  ],
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people[accountId] }) }),
  claims: { openid: ['sub', 'kb_tenant'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  ...(web === undefined ? {} : { loadExistingGrant: grantAll }),
  extraTokenClaims: (_ctx, { clientId }) => subjects[clientId],
  features: {
    devInteractions: { enabled: web !== undefined },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_ctx, audience) => ({
        scope: 'api',
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: keys[0].alg } },
      }),
    },
  },
});
const server = provider.listen(port, '127.0.0.1');
await once(server, 'listening');
process.send('ready');
process.once('disconnect', () => process.exit(0));
