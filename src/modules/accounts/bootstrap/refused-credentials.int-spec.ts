import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type ApiKeyId } from '#libs/common';

import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { makeApiKeySecret } from '../api-keys/api-key-secret.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

const LIMIT = 60;

let service: AccountsApp;
beforeAll(async () => {
  service = await startAccountsApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
});
afterAll(() => service.close());

let network = 0;
beforeEach(() => {
  network += 1;
});
const address = (host = 1): string => `2001:db8:0:${network}::${host}`;
const from = (host = 1): Record<string, string> => ({ 'x-forwarded-for': address(host) });
const list = (credential: { token?: string; key?: string }, host = 1): Promise<Answer> =>
  service.call('GET', '/auth/me', { ...credential, headers: from(host) });
const wrongKey = (): string => makeApiKeySecret(newId<ApiKeyId>()).key;
const login = async (): Promise<string> =>
  (await service.call('POST', '/auth/login', { body: ADMIN, headers: from() })).body.access_token;

describe('refused credentials', () => {
  it('of one /64 are checked 60 times in a minute; the rest is 429 and does not use the database', async () => {
    const asked = vi.spyOn(service.app.get(CredentialsRepository), 'findApiKey');
    const answers: Answer[] = [];
    for (let n = 0; n < 400; n += 1) answers.push(await list({ key: wrongKey() }, n + 1));
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect({ 401: count(401), 429: count(429), asked: asked.mock.calls.length }).toEqual({
      401: LIMIT,
      429: 400 - LIMIT,
      asked: LIMIT,
    });
    expect(answers.at(-1)!.body.code).toBe('auth.too_many_refused');
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0);
    asked.mockRestore();
    network += 1;
    expect((await list({ key: wrongKey() })).status).toBe(401);
  });

  it('do not affect callers of the same network whose credential was accepted or issued recently', async () => {
    const before = await login();
    const made = await service.call('POST', '/auth/api-keys', { token: before, body: { name: 'made', scopes: [] } });
    expect((await list({ token: before })).status).toBe(200);
    for (let n = 0; n <= LIMIT; n += 1) await list({ token: `wrong.${n}` });
    expect((await list({ token: 'wrong' })).status).toBe(429);
    expect((await list({ token: before })).status).toBe(200);
    expect((await list({ token: await login() })).status).toBe(200);
    expect((await list({ key: made.body.secret })).status).toBe(200);
  });

  it('count for a key that was accepted before and has been deleted', async () => {
    const token = await login();
    const { body } = await service.call('POST', '/auth/api-keys', { token, body: { name: 'gone', scopes: [] } });
    expect((await list({ key: body.secret })).status).toBe(200);
    await service.call('DELETE', `/auth/api-keys/${body.id}`, { token });
    const statuses = [];
    for (let n = 0; n <= LIMIT; n += 1) statuses.push((await list({ key: body.secret })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  });

  it('do not include requests without a credential', async () => {
    for (let n = 0; n <= LIMIT; n += 1) expect((await list({})).body.code).toBe('auth.credential_missing');
    expect((await list({ key: wrongKey() })).status).toBe(401);
  });
});
