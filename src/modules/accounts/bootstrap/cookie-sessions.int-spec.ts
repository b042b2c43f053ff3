import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

let service: AccountsApp;

/** Headers that a browser sends with a request of a page of the service itself. */
const OWN = { host: 'kb.lan', origin: 'http://kb.lan' } as const;
const FOREIGN = { host: 'kb.lan', origin: 'https://evil.example' } as const;

type Headers = Readonly<Record<string, string>>;

const login = (headers: Headers = OWN, app = service, more: object = { session: 'cookie' }): Promise<Answer> =>
  app.call('POST', '/auth/login', { headers, body: { ...ADMIN, ...more } });
const send = (
  route: 'refresh' | 'logout',
  cookie: string,
  headers: Headers = OWN,
  body: object = {},
): Promise<Answer> =>
  service.call('POST', `/auth/${route}`, { headers: { ...headers, cookie: `kb_refresh=${cookie}` }, body });
const setCookie = ({ headers }: Answer): string => String(headers['set-cookie']);
const tokenOf = (answer: Answer): string => /^kb_refresh=([^;]+);/.exec(setCookie(answer))![1]!;
/** Moves all uses further into the past than the time within which an answer may be lost. */
const wait = (): Promise<unknown> =>
  service.test.unitOfWork.runAsSystem((manager) =>
    manager.query(`UPDATE refresh_tokens SET used_at = used_at - interval '31 seconds' WHERE used_at IS NOT NULL`),
  );
const isUsable = async (token: string): Promise<boolean> => (await send('refresh', token)).status === 200;

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
});
afterAll(() => service.close());

describe('a session in a cookie', () => {
  it('keeps the refresh token out of the answer, and out of reach of scripts and other paths', async () => {
    const answer = await login();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect(setCookie(answer)).toMatch(
      /^kb_refresh=kbr_[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await service.call('GET', '/auth/me', { token: answer.body.access_token })).toMatchObject({ status: 200 });
  });

  it('is renewed with only the cookie, which changes each time', async () => {
    const first = tokenOf(await login());
    const second = await send('refresh', first);
    expect(second.status).toBe(200);
    expect(second.body).not.toHaveProperty('refresh_token');
    expect(tokenOf(second)).not.toBe(first);
    expect(await isUsable(tokenOf(second))).toBe(true);
  });

  it('ends with a logout, which removes the cookie', async () => {
    const token = tokenOf(await login());
    const out = await send('logout', token);
    expect(out.status).toBe(204);
    expect(setCookie(out)).toMatch(/^kb_refresh=; Path=\/api\/v1\/auth; Max-Age=0; HttpOnly; SameSite=Strict$/);
    expect((await send('refresh', token)).status).toBe(401);
  });

  it('is not started, renewed or ended by a page of another origin or by a program', async () => {
    const foreign = { status: 403, body: { code: 'accounts.foreign_page' } };
    const program = { host: 'kb.lan' };
    for (const headers of [
      FOREIGN,
      program,
      { ...FOREIGN, origin: 'null' },
      { host: 'kb.lan', origin: 'https://kb.lan' },
    ]) {
      const refused = await login(headers);
      expect(refused).toMatchObject(foreign);
      expect(refused.headers).not.toHaveProperty('set-cookie');
      const token = tokenOf(await login());
      for (const route of ['refresh', 'logout'] as const) {
        const answer = await send(route, token, headers);
        expect(answer).toMatchObject(foreign);
        expect(answer.headers).not.toHaveProperty('set-cookie');
      }
      expect(await isUsable(token)).toBe(true);
    }
  });

  it('authenticates nothing else', async () => {
    const cookie = `kb_refresh=${tokenOf(await login())}`;
    for (const path of ['/auth/me', '/auth/sessions', '/tenants']) {
      expect((await service.call('GET', path, { headers: { ...OWN, cookie } })).status, path).toBe(401);
    }
  });
});

describe('a page that is reloaded while its tokens are renewed', () => {
  it('has lost the new cookie, and continues with the old one', async () => {
    const first = tokenOf(await login());
    const lost = tokenOf(await send('refresh', first));
    const again = await send('refresh', first);
    expect(again.status).toBe(200);
    const once = tokenOf(await send('refresh', first));
    expect(await isUsable(once)).toBe(true);
    expect(lost).not.toBe(once);
  });

  it('ends the session when the replaced successor is used', async () => {
    const first = tokenOf(await login());
    const taken = tokenOf(await send('refresh', first));
    const kept = tokenOf(await send('refresh', first));
    expect((await send('refresh', taken)).body.code).toBe('accounts.refresh_token_invalid');
    expect(await isUsable(kept)).toBe(false);
  });

  it('finds the session ended if the successor was used or the time is over', async () => {
    const first = tokenOf(await login());
    const used = tokenOf(await send('refresh', first));
    const newest = tokenOf(await send('refresh', used));
    expect((await send('refresh', first)).status).toBe(401);
    expect(await isUsable(newest)).toBe(false);

    const late = tokenOf(await login());
    const successor = tokenOf(await send('refresh', late));
    await wait();
    expect((await send('refresh', late)).status).toBe(401);
    expect(await isUsable(successor)).toBe(false);
  });

  it('leaves one valid cookie, however many requests come at once', async () => {
    const first = tokenOf(await login());
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('refresh', first)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const kept = await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `SELECT count(*)::int AS unused FROM refresh_tokens t WHERE t.used_at IS NULL AND t.family_id =
           (SELECT id FROM refresh_families ORDER BY created_at DESC, id DESC LIMIT 1)`,
      ),
    );
    expect(kept).toEqual([{ unused: 1 }]);
  });
});

describe('a program', () => {
  it('gets the same answer regardless of page and cookie', async () => {
    const cookie = `kb_refresh=${tokenOf(await login())}`;
    for (const more of [{}, { session: 'token' }]) {
      const answer = await login({ ...FOREIGN, cookie }, service, more);
      expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
      expect(answer.headers).not.toHaveProperty('set-cookie');
      const { refresh_token: token } = answer.body;
      const renewed = await service.call('POST', '/auth/refresh', {
        headers: { ...FOREIGN, cookie },
        body: { refresh_token: token },
      });
      expect(renewed.status).toBe(200);
      expect(renewed.body.refresh_token).toMatch(/^kbr_/);
      expect(renewed.headers).not.toHaveProperty('set-cookie');
      const reused = await service.call('POST', '/auth/refresh', { headers: OWN, body: { refresh_token: token } });
      expect(reused.status).toBe(401);
    }
  });

  it('gets an error that names the missing field', async () => {
    const missing = { status: 422, body: { errors: [{ pointer: '/refresh_token', code: 'required' }] } };
    for (const route of ['refresh', 'logout']) {
      expect(await service.call('POST', `/auth/${route}`, { headers: OWN, body: {} })).toMatchObject(missing);
      const answer = await service.call('POST', `/auth/${route}`, { headers: OWN, body: { refresh_token: null } });
      expect(answer.status).toBe(422);
    }
  });

  it('cannot request a cookie with a form, which any page could send', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: ADMIN.email,
      password: ADMIN.password,
      session: 'cookie',
    });
    const headers = { ...FOREIGN, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.call('POST', '/auth/login', { headers, body: form.toString() });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});

// Tokens of the service above end here, because all apps of a process share the strategies of credentials.
describe('the address that people use', () => {
  const withApp = async (
    environment: Readonly<Record<string, string>>,
    work: (app: AccountsApp) => Promise<void>,
  ): Promise<void> => {
    const app = await startAccountsApp(environment);
    try {
      await app.app.get(AccountsBootstrap).ensureFirstAdministrator();
      await work(app);
    } finally {
      await app.close();
    }
  };

  it('is PUBLIC_URL: its scheme, path and pages', () =>
    withApp({ PUBLIC_URL: 'https://example.com/kb/' }, async (named) => {
      const answer = await login({ host: '127.0.0.1:8000', origin: 'https://example.com' }, named);
      expect(setCookie(answer)).toMatch(/; Path=\/kb\/api\/v1\/auth; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/);
      expect((await login({ host: '127.0.0.1:8000', origin: 'http://example.com' }, named)).status).toBe(403);
    }));

  it('uses TLS only if a trusted proxy says so', async () => {
    const tls = { host: 'kb.lan', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    await withApp({ TRUST_PROXY: 'true' }, async (proxied) => {
      expect(setCookie(await login({ ...tls, origin: 'https://kb.lan' }, proxied))).toContain('; HttpOnly; Secure; ');
    });
    expect((await login({ ...tls, origin: 'https://kb.lan' })).status).toBe(403);
    expect(setCookie(await login({ ...tls, origin: 'http://kb.lan' }))).not.toContain('Secure');
  });
});
