import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, type Page } from '../support/api-client.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const STATES = ['absent', 'valid', 'invalid'] as const;
type State = (typeof STATES)[number];
type Caller = 'the account' | 'the key' | 'nobody';

/** Contract, section 2: the strongest credential that is present decides, its failure is final, a tenant alone is none. */
function whoDecides(jwt: State, key: State): Caller {
  if (jwt !== 'absent') return jwt === 'valid' ? 'the account' : 'nobody';
  return key === 'valid' ? 'the key' : 'nobody';
}

const COMBINATIONS = STATES.flatMap((jwt) => STATES.flatMap((key) => STATES.map((tenant) => ({ jwt, key, tenant }))));

const service = useTenant();
let owner: Person;
let keyOwner: Person;
let foreigner: Person;
let keySecret: string;
/** One dataset of each caller, visible to no one else: what a list shows tells who the service took the caller for. */
const datasets = { 'the account': '', 'the key': '' };

beforeAll(async () => {
  owner = await personOf(service.admin, service.owner.email);
  keyOwner = await addMember(owner, 'key-owner@example.com', 'editor');
  foreigner = await addTenant(service.platform, 'Elsewhere', 'elsewhere@example.com');
  datasets['the account'] = await owner.client.createDataset('Of the account');
  datasets['the key'] = await keyOwner.client.createDataset('Of the key');
  const key = await withApiKey(keyOwner, ['datasets:read', 'datasets:write']);
  keySecret = key.headers['X-API-Key']!;
});

/** A client with each of the three headers in the given state. */
function clientWith(jwt: State, key: State, tenant: State, invalidTenant: string): ApiClient {
  const token = owner.client.headers['Authorization']!;
  return new ApiClient(service.url, {
    ...(jwt === 'absent' ? {} : { Authorization: jwt === 'valid' ? token : `${token.slice(0, -4)}AAAA` }),
    ...(key === 'absent' ? {} : { 'X-API-Key': key === 'valid' ? keySecret : `${keySecret.slice(0, -4)}AAAA` }),
    ...(tenant === 'absent' ? {} : { 'X-Tenant-ID': tenant === 'valid' ? owner.tenantId : invalidTenant }),
  });
}

describe.each(['of another tenant', 'that does not exist', 'that is no id'] as const)(
  'with an X-Tenant-ID %s as the invalid one',
  (kind) => {
    const invalidTenant = (): string => {
      if (kind === 'of another tenant') return foreigner.tenantId;
      return kind === 'that does not exist' ? '01900000-0000-7000-8000-000000000000' : 'no-such-tenant';
    };

    describe.each(COMBINATIONS)('JWT $jwt, API key $key, tenant $tenant', ({ jwt, key, tenant }) => {
      const caller = whoDecides(jwt, key);
      const client = (): ApiClient => clientWith(jwt, key, tenant, invalidTenant());

      if (caller === 'nobody') {
        it('is 401 on the list, on a single dataset and on a create', async () => {
          const code = jwt === 'absent' && key === 'absent' ? 'auth.credential_missing' : 'auth.credential_invalid';
          expectProblem(await client().send('GET', '/datasets/'), 401, code);
          expectProblem(await client().send('GET', `/datasets/${datasets['the account']}`), 401, code);
          expectProblem(await client().send('POST', '/datasets/', { name: 'Never' }), 401, code);
        });
      } else if (tenant === 'invalid') {
        it(`is ${caller} as an outsider: an empty list, 404 and 403`, async () => {
          expect(await client().get('/datasets/')).toEqual({ items: [], total: 0, skip: 0, limit: 20 });
          expectProblem(await client().send('GET', `/datasets/${datasets[caller]}`), 404, 'datasets.not_found');
          expectProblem(
            await client().send('PATCH', `/datasets/${datasets[caller]}`, { name: 'Never' }),
            404,
            'datasets.not_found',
          );
          expectProblem(await client().send('POST', '/datasets/', { name: 'Never' }), 403, 'auth.not_a_member');
        });
      } else {
        it(`is ${caller}, who sees what is its own and nothing else`, async () => {
          const { items } = await client().get<Page<{ id: string }>>('/datasets/');
          expect(items.map(({ id }) => id)).toEqual([datasets[caller]]);
          expect((await client().send('GET', `/datasets/${datasets[caller]}`)).status).toBe(200);
          const other = caller === 'the account' ? datasets['the key'] : datasets['the account'];
          expectProblem(await client().send('GET', `/datasets/${other}`), 404, 'datasets.not_found');
        });
      }
    });
  },
);

describe('a bearer token that begins with kb_', () => {
  it('is an API key', async () => {
    const client = new ApiClient(service.url, { Authorization: `Bearer ${keySecret}` });
    const { items } = await client.get<Page<{ id: string }>>('/datasets/');
    expect(items.map(({ id }) => id)).toEqual([datasets['the key']]);
  });

  it('decides before X-API-Key, and its failure is final', async () => {
    const client = new ApiClient(service.url, {
      Authorization: `Bearer ${keySecret.slice(0, -4)}AAAA`,
      'X-API-Key': keySecret,
    });
    expectProblem(await client.send('GET', '/datasets/'), 401, 'auth.credential_invalid');
  });
});

describe('an Authorization header that is no bearer token', () => {
  it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'Token abc'])(
    'is 401 even beside a good API key: "%s"',
    async (authorization) => {
      const client = new ApiClient(service.url, { Authorization: authorization, 'X-API-Key': keySecret });
      expectProblem(await client.send('GET', '/datasets/'), 401, 'auth.credential_invalid');
    },
  );
});

describe('membership', () => {
  it('is read at each request: a removed member loses everything at the next one', async () => {
    const leaver = await addMember(owner, 'leaver@example.com', 'viewer');
    const key = await withApiKey(leaver, ['datasets:read']);
    expect((await leaver.client.send('GET', '/datasets/')).status).toBe(200);
    expect((await key.send('GET', '/datasets/')).status).toBe(200);
    await owner.client.delete(`/tenants/${owner.tenantId}/members/${leaver.accountId}`);
    expect(await leaver.client.get('/datasets/')).toMatchObject({ items: [], total: 0 });
    expectProblem(await leaver.client.send('POST', '/datasets/', { name: 'Never' }), 403, /^auth\./);
    expectProblem(await key.send('GET', '/datasets/'), 401, 'auth.credential_invalid');
  });

  it('with another role has other rights at the next request', async () => {
    const person = await addMember(owner, 'demoted@example.com', 'editor');
    await person.client.createDataset('Made as an editor');
    await owner.client.patch(`/tenants/${owner.tenantId}/members/${person.accountId}`, { role: 'viewer' });
    expectProblem(await person.client.send('POST', '/datasets/', { name: 'Never' }), 403, 'auth.permission_missing');
  });
});

describe('sessions', () => {
  type Tokens = { access_token: string; token_type: string; expires_in: number; refresh_token: string };
  const login = (): Promise<Tokens> => service.anonymous.post<Tokens>('/auth/login', service.owner);

  it('are made by a login with the right password only', async () => {
    expect(await login()).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    const { email } = service.owner;
    expectProblem(
      await service.anonymous.send('POST', '/auth/login', { email, password: 'wrong' }),
      401,
      'accounts.login_failed',
    );
    const unknown = { email: 'nobody@example.com', password: 'wrong' };
    expectProblem(await service.anonymous.send('POST', '/auth/login', unknown), 401, 'accounts.login_failed');
  });

  it('go on with rotating refresh tokens; using an old one ends the family', async () => {
    const first = await login();
    const second = await service.anonymous.post<Tokens>('/auth/refresh', { refresh_token: first.refresh_token });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const reuse = await service.anonymous.send('POST', '/auth/refresh', { refresh_token: first.refresh_token });
    expectProblem(reuse, 401, 'accounts.refresh_token_invalid');
    const later = await service.anonymous.send('POST', '/auth/refresh', { refresh_token: second.refresh_token });
    expectProblem(later, 401, 'accounts.refresh_token_invalid');
  });

  it('end with a logout', async () => {
    const { refresh_token } = await login();
    expect((await service.anonymous.send('POST', '/auth/logout', { refresh_token })).status).toBe(204);
    expectProblem(
      await service.anonymous.send('POST', '/auth/refresh', { refresh_token }),
      401,
      'accounts.refresh_token_invalid',
    );
  });
});

describe('API keys', () => {
  it('show their secret once and never again', async () => {
    const made = await owner.client.post<{ id: string; secret: string }>('/auth/api-keys', {
      name: 'Shown once',
      scopes: [],
    });
    expect(made.secret).toMatch(/^kb_[0-9a-f]{32}_\S+$/);
    const listed = await owner.client.send<Page<{ id: string }>>('GET', '/auth/api-keys');
    expect(listed.body.items.map(({ id }) => id)).toContain(made.id);
    expect(JSON.stringify(listed.body)).not.toContain(made.secret.replace(/^kb_[0-9a-f]{32}_/, ''));
  });

  it('make no keys', async () => {
    const key = await withApiKey(owner, ['datasets:read', 'members:manage']);
    expectProblem(await key.send('POST', '/auth/api-keys', { name: 'x', scopes: [] }), 403, 'auth.account_required');
  });

  it('end when they are deleted', async () => {
    const made = await owner.client.post<{ id: string; secret: string }>('/auth/api-keys', {
      name: 'Short',
      scopes: ['datasets:read'],
    });
    const key = owner.client.asApiKey(made.secret);
    expect((await key.send('GET', '/datasets/')).status).toBe(200);
    await owner.client.delete(`/auth/api-keys/${made.id}`);
    expectProblem(await key.send('GET', '/datasets/'), 401, 'auth.credential_invalid');
  });
});
