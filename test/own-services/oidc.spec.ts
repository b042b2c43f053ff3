import { importJWK, SignJWT, UnsecuredJWT, exportSPKI, type JWK, type JWTPayload } from 'jose';
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { findFreePort, newSigningKey, OidcIssuer } from '../support/oidc-issuer.js';
import { useService } from '../support/service-process.js';

const AUDIENCE = 'https://kb.example.com/api';
const OTHER_AUDIENCE = 'https://other.example.com/api';
const TENANT = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e99';
const port = await findFreePort();
const ISSUER = `http://127.0.0.1:${port}`;
const service = useService({
  settings: {
    AUTH_OIDC_ISSUER: ISSUER,
    AUTH_OIDC_AUDIENCE: AUDIENCE,
    AUTH_OIDC_TENANT_CLAIM: 'kb_tenant',
    AUTH_OIDC_ROLE_CLAIM: 'kb_role',
  },
});

/** Claims that each subject's tokens bear; the tenant of the first administrator is filled in before the issuer starts. */
const subjects: Record<string, Record<string, unknown>> = {
  nobody: {},
  invited: {},
  'invited-with-address': { email: 'ada@example.com', email_verified: true },
  proven: { email: 'lovelace@example.com', email_verified: true },
  'look-alike': { email: 'Turing@\u212Aings.example', email_verified: true },
  impostor: { email: 'admin@example.com', email_verified: true },
  'unverified-address': { email: 'grace@example.com', email_verified: false },
  'of-another-tenant': { kb_tenant: TENANT },
  member: { kb_role: 'editor' },
  'would-be-owner': { kb_role: 'owner' },
  'in-groups': { kb_role: ['offline_access', 'default-roles-staff', 'editor'] },
};
let issuer: OidcIssuer;
let firstKey: JWK;
let home: string;

interface Me {
  readonly account: { readonly id: string; readonly email: string };
  readonly tenants: { readonly id: string; readonly role: string }[];
  readonly permissions: string[];
}

const withToken = (token: string): ApiClient =>
  new ApiClient(service.process.url, { Authorization: `Bearer ${token}` });
const clientOf = async (subject: string, audience = AUDIENCE): Promise<ApiClient> =>
  withToken(await issuer.tokenFor(subject, audience));
const me = async (client: ApiClient): Promise<Me> => client.get<Me>('/auth/me');
const statusOf = async (token: string): Promise<number> => (await withToken(token).send('GET', '/auth/me')).status;
const refusals = (): string[] => service.process.log.filter((line) => line.includes('auth.credential_refused'));
const invite = (email: string): Promise<{ secret: string }> =>
  service.admin.post<{ secret: string }>(`/tenants/${home}/members`, { email, role: 'viewer' });

beforeAll(async () => {
  home = (await me(service.admin)).tenants[0]!.id;
  subjects['member']!['kb_tenant'] = home;
  subjects['would-be-owner']!['kb_tenant'] = home;
  subjects['in-groups']!['kb_tenant'] = ['staff', home];
  firstKey = await newSigningKey('first');
  issuer = await OidcIssuer.start({ port, keys: [firstKey], subjects });
});
afterAll(() => issuer.stop());

describe('a token of the issuer', () => {
  it('lets a subject in who belongs nowhere, and shows him nothing', async () => {
    const client = await clientOf('nobody');
    const { account, tenants } = await me(client);
    expect(tenants).toEqual([]);
    expect(account.email).toMatch(/@oidc\.invalid$/);
    expect(await client.get('/datasets/')).toMatchObject({ items: [], total: 0 });
    expect((await client.send('POST', '/datasets/', { name: 'Mine' })).status).toBe(403);
    expect((await me(await clientOf('nobody'))).account.id).toBe(account.id);
  });

  it('joins the tenant that the mapped claim names, in the role that another one names, and never as an owner', async () => {
    expect((await me(await clientOf('member'))).tenants).toMatchObject([{ id: home, role: 'editor' }]);
    expect((await me(await clientOf('would-be-owner'))).tenants).toMatchObject([{ id: home, role: 'viewer' }]);
    expect((await me(await clientOf('of-another-tenant'))).tenants).toEqual([]);
  });

  it('names tenant and role in lists too, and what is unknown in them is in the log once', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await me(await clientOf('in-groups'))).tenants).toMatchObject([{ id: home, role: 'editor' }]);
    }
    const lines = service.process.log.filter((line) => line.includes('auth.oidc_claim_unknown'));
    expect(lines.filter((line) => line.includes('"kb_role"') && line.includes('"offline_access"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"kb_tenant"') && line.includes('"staff"'))).toHaveLength(1);
  });

  it('does not join again whom an administrator has removed', async () => {
    const client = await clientOf('would-be-owner');
    const { account } = await me(client);
    expect((await service.admin.send('DELETE', `/tenants/${home}/members/${account.id}`)).status).toBe(204);
    expect((await me(await clientOf('would-be-owner'))).tenants).toEqual([]);
  });

  it('makes one account of requests that arrive together', async () => {
    const token = await issuer.tokenFor('unverified-address', AUDIENCE);
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await me(withToken(token))).account.id));
    expect(new Set(ids).size).toBe(1);
    expect((await me(withToken(token))).account.email).not.toBe('grace@example.com');
  });

  it('joins by the secret of an invitation, once, and by an address alone never', async () => {
    const { secret } = await invite('someone@example.com');
    const invited = await clientOf('invited');
    expect(await invited.post('/auth/invitations/accept', { secret })).toMatchObject({
      tenant_id: home,
      role: 'viewer',
    });
    expect((await me(invited)).tenants).toMatchObject([{ id: home }]);
    expect((await (await clientOf('nobody')).send('POST', '/auth/invitations/accept', { secret })).status).toBe(404);

    const ada = await invite('ada@example.com');
    const withAddress = await clientOf('invited-with-address');
    expect(await me(withAddress)).toMatchObject({ account: { email: 'ada@example.com' }, tenants: [] });
    const other = await invite('eve@example.com');
    const wrong = await withAddress.send('POST', '/auth/invitations/accept', { secret: other.secret });
    expect(wrong.status).toBe(404);
    expect(await withAddress.post('/auth/invitations/accept', { secret: ada.secret })).toMatchObject({
      tenant_id: home,
    });
  });

  it('gives nothing of the administrator’s account whose address it names', async () => {
    const { account, tenants } = await me(await clientOf('impostor'));
    const administrator = await me(service.admin);
    expect(account.id).not.toBe(administrator.account.id);
    expect(account.email).toBe('admin@example.com');
    expect(tenants).toEqual([]);
  });

  it('with a verified address that only lower case makes equal joins nothing', async () => {
    const email = 'turing@kings.example';
    const { secret } = await invite(email);
    const password = 'a password of theirs';
    await service.anonymous.post('/auth/invitations/accept', { secret, password });
    const before = await service.anonymous.login(email, password);
    expect((await me(await clientOf('look-alike'))).tenants).toEqual([]);
    expect((await before.send('GET', '/auth/me')).status).toBe(200);
  });

  it('with an address that the issuer has verified joins the account of it, whose password ends', async () => {
    const email = 'lovelace@example.com';
    const { secret } = await invite(email);
    const password = 'a password of theirs';
    await service.anonymous.post('/auth/invitations/accept', { secret, password });
    const before = await service.anonymous.login(email, password);
    const { account } = await me(before);
    expect(await me(await clientOf('proven'))).toMatchObject({ account: { id: account.id }, tenants: [{ id: home }] });
    expect((await before.send('GET', '/auth/me')).status).toBe(401);
    expect((await service.anonymous.send('POST', '/auth/login', { email, password })).status).toBe(401);
  });
});

describe('a forged or foreign token', () => {
  const now = Math.floor(Date.now() / 1000);
  const good: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: 'member', iat: now, exp: now + 3_600 };
  const sign = async (
    claims: JWTPayload,
    header: { alg: string; kid?: string; typ?: string } = { alg: 'RS256', kid: 'first' },
    key?: JWK,
  ) => new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key ?? firstKey, header.alg));

  it('is told from one that the issuer has signed', async () => {
    expect(await statusOf(await sign(good))).toBe(200);
  });

  it.each<[string, string, () => Promise<string>]>([
    ['for another audience', 'audience', () => issuer.tokenFor('member', OTHER_AUDIENCE)],
    ['without an audience', 'audience', () => sign({ ...good, aud: undefined })],
    ['of another issuer', 'issuer', () => sign({ ...good, iss: `${ISSUER}/other` })],
    ['of the issuer with a slash', 'issuer', () => sign({ ...good, iss: `${ISSUER}/` })],
    ['that has run out', 'expired', () => sign({ ...good, exp: now - 120 })],
    ['that is not valid yet', 'not_yet_valid', () => sign({ ...good, nbf: Math.floor(Date.now() / 1000) + 120 })],
    ['without an end', 'claims', () => sign({ ...good, exp: undefined })],
    ['without a subject', 'claims', () => sign({ ...good, sub: undefined })],
    ['with an empty subject', 'claims', () => sign({ ...good, sub: ' ' })],
    ['an ID token', 'id_token', () => sign({ ...good, typ: 'ID', nonce: 'n-1' })],
    ['an ID token that does not say so', 'id_token', () => sign({ ...good, nonce: 'n-1' })],
    ['an ID token with the hash of an access token', 'id_token', () => sign({ ...good, at_hash: 'x' })],
    ['a refresh token', 'refresh_token', () => sign({ ...good, typ: 'Refresh' })],
    ['an ID token whose use is a list', 'id_token', () => sign({ ...good, token_use: ['id'] })],
    ['an ID token beside another use', 'id_token', () => sign({ ...good, token_use: ['access', 'ID'] })],
    ['a refresh token by its use', 'refresh_token', () => sign({ ...good, token_use: 'refresh' })],
    ['a token of another type', 'no_access_token', () => sign(good, { alg: 'RS256', kid: 'first', typ: 'logout+jwt' })],
    ['signed by another key of the same name', 'key', async () => sign(good, undefined, await newSigningKey('first'))],
    [
      'with a key that nobody has published',
      'key',
      async () => sign(good, { alg: 'RS256', kid: 'none' }, await newSigningKey('none')),
    ],
    ['that is not signed', 'algorithm', async () => new UnsecuredJWT(good).encode()],
    [
      'signed with the public key as a secret',
      'algorithm',
      async () => {
        const pem = await exportSPKI(createPublicKey({ key: firstKey, format: 'jwk' }));
        return new SignJWT(good).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(new TextEncoder().encode(pem));
      },
    ],
    [
      'by an algorithm that is not pinned',
      'algorithm',
      () => sign(good, { alg: 'RS512', kid: 'first' }, { ...firstKey, alg: 'RS512' }),
    ],
  ])('is refused: %s, and the log says why: %s', async (_name, reason, make) => {
    const token = await make();
    const before = refusals().length;
    expect(await statusOf(token)).toBe(401);
    const lines = await until(async () => refusals().length > before && refusals().slice(before));
    expect(lines).toEqual([expect.stringContaining(`"reason":"${reason}"`)]);
    expect(service.process.log.join('\n')).not.toContain(token);
  });

  it.each([
    ['with the type of access tokens', { typ: 'Bearer', nonce: 'n-1' }],
    ['by its use', { token_use: 'access' }],
    ['by a list of uses', { token_use: ['access'], nonce: 'n-1' }],
  ])('is no ID token for a nonce where the issuer says what it is: %s', async (_name, claims) => {
    expect(await statusOf(await sign({ ...good, ...claims }))).toBe(200);
  });

  it.each([
    ['a minute ago', (present: number) => ({ exp: present - 30 })],
    ['in a moment', (present: number) => ({ nbf: present + 30 })],
  ])('is accepted within the difference of clocks: %s', async (_name, change) => {
    expect(await statusOf(await sign({ ...good, ...change(Math.floor(Date.now() / 1000)) }))).toBe(200);
  });
});

describe('the keys of the issuer', () => {
  it('change without a restart, and the former one is no longer good; when they cannot be had that is 503', async () => {
    const former = await issuer.tokenFor('member', AUDIENCE);
    await issuer.stop();
    expect(await statusOf(former)).toBe(200);
    const second = await newSigningKey('second');
    issuer = await OidcIssuer.start({ port, keys: [second], subjects });
    const anew = await issuer.tokenFor('member', AUDIENCE);
    // An unknown key is not asked for again at once.
    await until(async () => (await statusOf(anew)) === 200, { what: 'the new key' });
    expect(await statusOf(former)).toBe(401);
    await issuer.stop();
    const signed = await new SignJWT({ sub: 'member' })
      .setProtectedHeader({ alg: 'RS256', kid: 'third' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setExpirationTime('10m')
      .sign(await importJWK(await newSigningKey('third'), 'RS256'));
    const answer = await until(async () => {
      const tried = await withToken(signed).send('GET', '/auth/me');
      return tried.status !== 401 && tried;
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'accounts.issuer_unavailable' } });
    const repeated = await Promise.all(Array.from({ length: 5 }, () => withToken(signed).send('GET', '/auth/me')));
    expect(repeated.every(({ status }) => status === 503 || status === 401)).toBe(true);
    const lines = service.process.log.filter((line) => line.includes('accounts.issuer_unavailable'));
    expect(lines.filter((line) => line.includes('request.failed'))).toHaveLength(1);
    expect((await service.admin.send('GET', '/auth/me')).status).toBe(200);
  });
});
