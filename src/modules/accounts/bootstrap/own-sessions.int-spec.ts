import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

let service: AccountsApp;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const login = async (
  headers: Readonly<Record<string, string>> = {},
  body: { readonly email: string; readonly password: string } = ADMIN,
): Promise<Tokens> => (await service.call('POST', '/auth/login', { headers, body })).body;
const refresh = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  service.call('POST', '/auth/refresh', { headers, body: { refresh_token: token } });
const list = (token: string, query = ''): Promise<Answer> => service.call('GET', `/auth/sessions${query}`, { token });
const currentOf = async (token: string): Promise<string> =>
  (await list(token)).body.items.find(({ current }: { current: boolean }) => current).id;
const end = (token: string, id: string): Promise<Answer> => service.call('DELETE', `/auth/sessions/${id}`, { token });

beforeAll(async () => {
  service = await startAccountsApp({ TRUST_PROXY: 'true' });
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
});
beforeEach(() => service.test.unitOfWork.runAsSystem((manager) => manager.query('DELETE FROM refresh_families')));
afterAll(() => service.close());

describe('the list of my sessions', () => {
  it('shows the client and network of the last use of each, and marks the present one', async () => {
    const one = await login({ 'user-agent': 'curl/8', 'x-forwarded-for': '192.0.2.7' });
    await login({ 'user-agent': 'Firefox', 'x-forwarded-for': '2001:db8:1:2::3' });
    const renewed = (await refresh(one.refresh_token, { 'user-agent': 'curl/9', 'x-forwarded-for': '198.51.100.7' }))
      .body;
    const { body } = await list(renewed.access_token);
    expect(body).toMatchObject({ total: 2, skip: 0, limit: 20 });
    const [first, second] = body.items;
    expect(first).toEqual({
      id: expect.any(String),
      current: true,
      session: 'token',
      user_agent: 'curl/9',
      network: '198.51.100.0/24',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(second).toMatchObject({ current: false, user_agent: 'Firefox', network: '2001:db8:1::/48' });
    expect(Date.parse(first.last_used_at)).toBeGreaterThanOrEqual(Date.parse(second.last_used_at));
    expect(JSON.stringify(body)).not.toMatch(/kbr_|198\.51\.100\.7|2001:db8:1:2/);
  });

  it('marks a session in a cookie', async () => {
    const headers = { host: 'kb.lan', origin: 'http://kb.lan' };
    const { body } = await service.call('POST', '/auth/login', { headers, body: { ...ADMIN, session: 'cookie' } });
    expect((await list(body.access_token)).body.items).toMatchObject([{ session: 'cookie', current: true }]);
  });

  it('is paged and ordered', async () => {
    for (const agent of ['a', 'b', 'c']) await login({ 'user-agent': agent });
    const { access_token: token } = await login({ 'user-agent': 'd' });
    const agents = async (query: string): Promise<string[]> =>
      (await list(token, query)).body.items.map((item: { user_agent: string }) => item.user_agent);
    expect(await agents('?order_by=created_at')).toEqual(['a', 'b', 'c', 'd']);
    expect(await agents('?order_by=-created_at&skip=1&limit=2')).toEqual(['c', 'b']);
    expect((await list(token, '?order_by=name')).status).toBe(422);
  });

  it('leaves out ended and expired sessions, and those of other accounts', async () => {
    const mine = await login();
    const gone = await login();
    await service.call('POST', '/auth/logout', { body: { refresh_token: gone.refresh_token } });
    const old = await login();
    const id = await currentOf(old.access_token);
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE refresh_tokens SET expires_at = now() - interval '1 second' WHERE family_id = $1`, [id]),
    );
    const { body } = await list(mine.access_token);
    expect(body.items).toMatchObject([{ current: true }]);
    expect(body.total).toBe(1);
  });
});

describe('ending a session', () => {
  it('makes its refresh token invalid, and no other one', async () => {
    const [mine, other] = [await login(), await login()];
    const id = await currentOf(other.access_token);
    expect((await end(mine.access_token, id)).status).toBe(204);
    expect((await refresh(other.refresh_token)).status).toBe(401);
    expect((await refresh(mine.refresh_token)).status).toBe(200);
    expect(await end(mine.access_token, id)).toMatchObject({
      status: 404,
      body: { code: 'accounts.session_not_found' },
    });
  });

  it('is refused for an unknown session and for one of another account', async () => {
    const mine = await login();
    for (const id of ['no-id', '01900000-0000-7000-8000-000000000045']) {
      expect((await end(mine.access_token, id)).status).toBe(404);
    }
    const { tenants } = (await service.call('GET', '/auth/me', { token: mine.access_token })).body;
    const colleague = { email: 'colleague@example.com', password: 'hinge-lantern-47-otter' };
    await service.call('POST', `/tenants/${tenants[0].id}/members`, {
      token: mine.access_token,
      body: { ...colleague, role: 'admin' },
    });
    const theirs = await login({}, colleague);
    expect((await end(theirs.access_token, await currentOf(mine.access_token))).status).toBe(404);
    expect((await list(theirs.access_token)).body.total).toBe(1);
    expect((await refresh(mine.refresh_token)).status).toBe(200);
  });
});

describe('signing out everywhere', () => {
  it('ends all sessions, and access tokens at their next request', async () => {
    const [mine, other] = [await login(), await login()];
    expect((await service.call('DELETE', '/auth/sessions', { token: mine.access_token })).status).toBe(204);
    for (const { access_token: access, refresh_token: token } of [mine, other]) {
      expect((await service.call('GET', '/auth/me', { token: access })).status).toBe(401);
      expect((await refresh(token)).status).toBe(401);
    }
    const again = await login();
    expect((await list(again.access_token)).body.total).toBe(1);
  });
});
