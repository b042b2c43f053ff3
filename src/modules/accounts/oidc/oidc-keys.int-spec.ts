import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OidcDiscovery } from './oidc-discovery.js';
import { OidcKeys } from './oidc-keys.js';

const TOKEN = { payload: '', signature: '' };
const HEADER = { alg: 'RS256', kid: 'first' };

let server: Server;
let issuer: string;
let sendKeys: (response: ServerResponse) => void;
let sent = 0;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/keys') sendKeys(response);
    else response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** An endless key set. */
function sendWithoutEnd(response: ServerResponse): void {
  const piece = `{"kty":"RSA","e":"AQAB","n":"${'A'.repeat(100_000)}"},`;
  const write = (): void => {
    while (!response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
  };
  response.write('{"keys":[');
  write();
}

describe('the keys of an issuer', () => {
  it('are found by their name', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(publicKey)), ...HEADER };
    sendKeys = (response) => void response.end(JSON.stringify({ keys: [key] }));
    expect(await new OidcKeys(new OidcDiscovery(issuer)).find(HEADER, TOKEN)).toMatchObject({ type: 'public' });
  });

  it.each([
    ['is no success', (response: ServerResponse) => void response.writeHead(500).end('no'), /200/],
    ['leads elsewhere', (response: ServerResponse) => void response.writeHead(302, { Location: '/x' }).end(), /200/],
  ])('are unavailable if the answer %s', async (_name, send, reason) => {
    sendKeys = send;
    await expect(new OidcKeys(new OidcDiscovery(issuer)).find(HEADER, TOKEN)).rejects.toThrow(reason);
  });

  it('are not read beyond a maximum size', async () => {
    sendKeys = sendWithoutEnd;
    await expect(new OidcKeys(new OidcDiscovery(issuer)).find(HEADER, TOKEN)).rejects.toMatchObject({
      code: 'accounts.issuer_unavailable',
      message: expect.stringContaining('is longer than 1048576 bytes') as string,
    });
    expect(sent).toBeLessThan(50_000_000);
  });
});
