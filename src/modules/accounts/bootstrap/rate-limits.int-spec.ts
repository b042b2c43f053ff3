import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer, type Call } from '../testing/accounts-app.js';

const PASSWORD = 'a password of theirs';

describe('rate limits', () => {
  let service: AccountsApp;
  let token: string;
  const ask = (by: Call): Promise<Answer> => service.call('GET', '/tenants', by);
  const newKey = async (): Promise<string> => {
    const body = { name: 'k', scopes: [] };
    return (await service.call('POST', '/auth/api-keys', { token, body })).body.secret;
  };

  beforeAll(async () => {
    service = await startAccountsApp({
      RATE_LIMITS: 'on',
      RATE_LIMIT_DEFAULT: '5',
      RATE_LIMIT_DEFAULT_TENANT: '12',
      RATE_LIMIT_LOGIN: '0',
    });
    await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
    token = (await service.call('POST', '/auth/login', { body: ADMIN })).body.access_token;
  });
  afterAll(() => service.close());

  it('apply to each credential and to a whole tenant; a refused credential does not use up the limit of the others', async () => {
    const body = { name: 'Elsewhere', admin_email: 'elsewhere@example.com', admin_password: PASSWORD };
    expect((await service.call('POST', '/tenants', { token, body })).status).toBe(201);
    const keys = [await newKey(), await newKey(), await newKey()];
    const last = await ask({ token });
    expect(last.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
    for (let n = 0; n < 20; n += 1) {
      expect(await ask({ token })).toMatchObject({ status: 429, body: { code: 'http.rate_limited' } });
    }
    expect((await ask({ token })).body.detail).toContain('More than 5 requests in 60 seconds by this account');

    for (let n = 0; n < 5; n += 1) expect((await ask({ key: keys[0]! })).status).toBe(200);
    const first = await ask({ key: keys[1]! });
    expect(first).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '12', 'ratelimit-remaining': '1' } });
    expect((await ask({ key: keys[1]! })).status).toBe(200);
    const beyond = await ask({ key: keys[2]! });
    expect(beyond.status).toBe(429);
    expect(beyond.body.detail).toContain(
      'More than 12 requests in 60 seconds by all members and API keys of the tenant',
    );
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0);

    const other = await service.call('POST', '/auth/login', {
      body: { email: 'elsewhere@example.com', password: PASSWORD },
    });
    expect((await ask({ token: other.body.access_token })).status).toBe(200);
  });

  it('of 0 are no limits', async () => {
    for (let n = 0; n < 30; n += 1) {
      const answer = await service.call('POST', '/auth/login', { body: ADMIN });
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-limit']).toBeUndefined();
    }
  });
});
