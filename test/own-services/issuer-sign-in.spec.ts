import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { findFreePort, newSigningKey, OidcIssuer } from '../support/oidc-issuer.js';
import { useService } from '../support/service-process.js';

const port = await findFreePort();
const ISSUER = `http://127.0.0.1:${port}`;
/** Where people reach the service: behind a proxy, below a path. */
const PUBLIC_URL = 'http://kb.example.com/below';
const CALLBACK = `${PUBLIC_URL}/api/v1/auth/oidc/callback`;
const WEB = { clientId: 'kb console', clientSecret: 'a secret: 100 %', redirectUri: CALLBACK };
const PEOPLE = {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada' },
  grace: { email: 'grace@example.com', email_verified: false },
};

const service = useService({
  settings: {
    AUTH_OIDC_ISSUER: ISSUER,
    AUTH_OIDC_AUDIENCE: 'https://kb.example.com/api',
    AUTH_OIDC_CLIENT_ID: WEB.clientId,
    AUTH_OIDC_CLIENT_SECRET: WEB.clientSecret,
    PUBLIC_URL,
  },
});
let issuer: OidcIssuer;

interface Answer {
  readonly status: number;
  readonly location: URL;
  readonly cookies: readonly string[];
}

/** A navigation of the browser to the service. */
function visit(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.process.url}${path}`, { headers }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: new URL(response.headers.location ?? 'about:blank'),
          cookies: response.headers['set-cookie'] ?? [],
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const named = ({ cookies }: Answer, name: string): string =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
const pairOf = (cookie: string): string => cookie.split(';', 1)[0]!;
const start = (returnTo = '/'): Promise<Answer> => visit(`/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`);
const finish = (back: URL, cookie: string): Promise<Answer> =>
  visit(`/auth/oidc/callback${back.search}`, cookie === '' ? {} : { Cookie: cookie });
const refusals = (): string[] => service.process.log.filter((line) => line.includes('auth.sign_in_refused'));

/** Someone at the issuer, who has not come back yet. */
async function begin(person: string | null, returnTo?: string): Promise<{ back: URL; cookie: string }> {
  const begun = await start(returnTo);
  return { back: await issuer.visit(begun.location.href, person), cookie: pairOf(named(begun, 'kb_oidc')) };
}

async function expectRefused(answer: Answer, fault: string): Promise<void> {
  expect([answer.status, answer.location.href]).toEqual([302, `${PUBLIC_URL}/?sign_in=${fault}`]);
  expect(named(answer, 'kb_refresh')).toBe('');
}

beforeAll(async () => {
  issuer = await OidcIssuer.start({
    port,
    keys: [await newSigningKey('first')],
    subjects: {},
    web: WEB,
    people: PEOPLE,
  });
});
afterAll(() => issuer.stop());

describe('a sign-in at the issuer', () => {
  it('is offered', async () => {
    expect(await service.anonymous.get('/auth/methods')).toEqual({ password: true, oidc: true });
  });

  it('begins with a question that no other browser can answer, and comes back to PUBLIC_URL whatever the host was', async () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    const begun = await visit('/auth/oidc/start', headers);
    expect(begun.status).toBe(302);
    expect(begun.location.origin).toBe(ISSUER);
    expect(Object.fromEntries(begun.location.searchParams)).toEqual({
      response_type: 'code',
      client_id: WEB.clientId,
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(begun.cookies).toEqual([
      expect.stringMatching(
        /^kb_oidc=[\w.-]+; Path=\/below\/api\/v1\/auth\/oidc\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('ends with a session in a cookie, at the page that it began at', async () => {
    const { back, cookie } = await begin('ada', '/d/1/ask?q=notice');
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    const done = await finish(back, cookie);
    expect([done.status, done.location.href]).toEqual([302, `${PUBLIC_URL}/d/1/ask?q=notice`]);
    expect(named(done, 'kb_oidc')).toMatch(/^kb_oidc=; Path=\/below\/api\/v1\/auth\/oidc\/callback; Max-Age=0;/);
    expect(named(done, 'kb_refresh')).toMatch(/; Path=\/below\/api\/v1\/auth; .*HttpOnly; SameSite=Strict$/);
    const { body } = await service.anonymous.send<{ access_token: string }>(
      'POST',
      '/auth/refresh',
      {},
      {
        Origin: new URL(PUBLIC_URL).origin,
        Cookie: pairOf(named(done, 'kb_refresh')),
      },
    );
    const ada = new ApiClient(service.process.url, { Authorization: `Bearer ${body.access_token}` });
    expect(await ada.get('/auth/me')).toMatchObject({
      account: { email: 'ada@example.com', name: 'Ada' },
      tenants: [],
    });
    expect(await ada.get('/auth/sessions')).toMatchObject({ items: [{ current: true, session: 'cookie' }] });
  });

  it('is of one account, however often someone comes, and believes no address that is not verified', async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 2; n += 1) {
      const { back, cookie } = await begin('grace');
      const refresh = pairOf(named(await finish(back, cookie), 'kb_refresh'));
      const headers = { Origin: new URL(PUBLIC_URL).origin, Cookie: refresh };
      const { access_token: token } = await service.anonymous.post<{ access_token: string }>(
        '/auth/refresh',
        {},
        headers,
      );
      const grace = new ApiClient(service.process.url, { Authorization: `Bearer ${token}` });
      const { account } = await grace.get<{ account: { id: string; email: string } }>('/auth/me');
      expect(account.email).toMatch(/@oidc\.invalid$/);
      ids.add(account.id);
    }
    expect(ids.size).toBe(1);
  });

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/a\r\nLocation: https://evil.example'])(
    'leads to no other host: %j',
    async (returnTo) => {
      const { back, cookie } = await begin('ada', returnTo);
      expect((await finish(back, cookie)).location.href).toBe(`${PUBLIC_URL}/`);
    },
  );
});

describe('a sign-in that came to nothing', () => {
  it('says so where someone has turned back', async () => {
    const { back, cookie } = await begin(null);
    await expectRefused(await finish(back, cookie), 'denied');
  });

  it('says so without the browser that began it, and with an answer to another question', async () => {
    const { back, cookie } = await begin('ada');
    await expectRefused(await finish(back, ''), 'expired');
    const other = pairOf(named(await start(), 'kb_oidc'));
    await expectRefused(await finish(back, other), 'expired');
    await expectRefused(await finish(back, cookie.slice(0, -60)), 'expired');
  });

  it('says so for an answer that is used twice', async () => {
    const { back, cookie } = await begin('ada');
    expect((await finish(back, cookie)).location.href).toBe(`${PUBLIC_URL}/`);
    await expectRefused(await finish(back, cookie), 'failed');
  });

  it.each([
    ['of another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['that names no issuer', (back: URL) => back.searchParams.delete('iss')],
    ['without a code', (back: URL) => back.searchParams.delete('code')],
    ['with a code that nobody has given', (back: URL) => back.searchParams.set('code', 'never')],
    ['with a fault of the issuer', (back: URL) => back.searchParams.set('error', 'server_error')],
  ])('says so for an answer %s', async (_what, spoil) => {
    const { back, cookie } = await begin('ada');
    spoil(back);
    await expectRefused(await finish(back, cookie), 'failed');
  });

  it.each([
    ['nonce', 1],
    ['verifier', 2],
  ])('says so where the %s is of another sign-in', async (_what, place) => {
    const { back, cookie } = await begin('ada');
    const parts = cookie.split('.');
    parts[place] = randomBytes(32).toString('base64url');
    await expectRefused(await finish(back, parts.join('.')), 'failed');
  });

  it('leaves its reason in the log, and no code, token or secret', () => {
    const lines = refusals();
    expect(lines.some((line) => line.includes('the ID token is of another sign-in'))).toBe(true);
    expect(lines.some((line) => line.includes('the answer is of another issuer'))).toBe(true);
    expect(service.process.log.join('\n')).not.toMatch(/kbr_|eyJ|a secret: 100/);
  });
});

describe('an ID token', () => {
  it('is no bearer', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const address = new URL((await start()).location);
    address.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
    const back = await issuer.visit(address.href, 'ada');
    const encode = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);
    const response = await fetch(`${ISSUER}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${encode(WEB.clientId)}:${encode(WEB.clientSecret)}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      }),
    });
    const { id_token: token } = (await response.json()) as { id_token: string };
    expect(token).toMatch(/^eyJ/);
    const bearer = new ApiClient(service.process.url, { Authorization: `Bearer ${token}` });
    expect((await bearer.send('GET', '/auth/me')).status).toBe(401);
  });
});

describe('an issuer that is away', () => {
  it('is said to be away, and passwords still work', async () => {
    const { back, cookie } = await begin('ada');
    await issuer.stop();
    await expectRefused(await finish(back, cookie), 'unavailable');
    const { email, password } = service.process.admin;
    expect((await service.anonymous.send('POST', '/auth/login', { email, password })).status).toBe(200);
  });
});
