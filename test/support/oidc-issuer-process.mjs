/**
 * A real OpenID Connect issuer (oidc-provider) in a process of its own. Its parent sends the configuration as a message and gets `ready` back:
 * `{port, keys, subjects}`, where `keys` are private JWKs, the first of which signs, and `subjects` are clients by name with the claims of
 * their access tokens. Tokens are had by client credentials: the client is the subject.
 */
import { once } from 'node:events';
import Provider from 'oidc-provider';

const [{ port, keys, subjects }] = await once(process, 'message');
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  jwks: { keys },
  clients: Object.keys(subjects).map((client_id) => ({
    client_id,
    client_secret: `secret of ${client_id}`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })),
  extraTokenClaims: (_ctx, { clientId }) => subjects[clientId],
  features: {
    devInteractions: { enabled: false },
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
