import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp } from '../testing/accounts-app.js';

const API = '/api/v1';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the credential of a request', () => {
  let service: AccountsApp;
  let token: string;

  beforeAll(async () => {
    service = await startAccountsApp({ CORS_ORIGINS: 'https://pages.example.com' });
    await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
    token = (await service.call('POST', '/auth/login', { body: ADMIN })).body.access_token;
  });
  afterAll(() => service.close());

  /** Sends invalid JSON, which is answered 400 if the body is read. */
  const send = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<{ statusCode: number }> =>
    service.app.inject({ method: 'POST', url: API + url, payload: '{', headers: { ...JSON_TYPE, ...headers } });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['is missing', {}],
    ['is forged', { authorization: 'Bearer forged' }],
    ['is an unknown API key', { 'x-api-key': 'kb_x_y' }],
  ])('that %s is refused before the body is read', async (_what, headers) => {
    expect(await send('/auth/api-keys', headers)).toMatchObject({ statusCode: 401 });
    expect(await send('/tenants', headers)).toMatchObject({ statusCode: 401 });
  });

  it('is refused without taking a byte of the body', async () => {
    let asked = 0;
    const body = new Readable({
      read(): void {
        asked += 1;
      },
    });
    const answer = await service.app.inject({
      method: 'POST',
      url: `${API}/auth/api-keys`,
      payload: body,
      headers: { ...JSON_TYPE, 'content-length': '100' },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(answer.json()).toMatchObject({ code: 'auth.credential_missing', request_id: expect.stringMatching(/./) });
    expect(asked).toBe(0);
  });

  it('is accepted before the body is read', async () => {
    expect(await send('/auth/api-keys', { authorization: `Bearer ${token}` })).toMatchObject({ statusCode: 400 });
  });

  it('is not required on public routes, for unknown routes, or in a preflight', async () => {
    expect(await send('/auth/login', { authorization: 'Bearer forged' })).toMatchObject({ statusCode: 400 });
    expect(await send('/no/such/route')).toMatchObject({ statusCode: 404 });
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: `${API}/auth/api-keys`,
      headers: { origin: 'https://pages.example.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
  });
});
