import { beforeAll, describe, expect, it } from 'vitest';
import { uploadForm, type ApiClient, type DocumentRecord, type Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

/** Everything that a caller may do with a dataset, so that a key fails for its dataset list and not for its scopes. */
const ALL_SCOPES = [
  'datasets:read',
  'datasets:write',
  'documents:read',
  'documents:write',
  'retrieval:search',
  'chat:complete',
];
const QUESTION = 'Which colour does the vault have?';

interface Guarded {
  readonly id: string;
  readonly document: DocumentRecord;
}

const service = useTenant();
/** Anna owns the datasets and manages the tenant, Ben and Cleo are members, Dora owns another tenant. */
let anna: Person;
let ben: Person;
let cleo: Person;
let dora: Person;
let onlyMe: Guarded;
let team: Guarded;
let partial: Guarded;

async function makeGuarded(owner: Person, name: string, more: Readonly<Record<string, unknown>>): Promise<Guarded> {
  const id = await owner.client.createDataset(name, more);
  const content = `The vault of the ${name} dataset has the colour magenta-${name}.`;
  return { id, document: await ingest(owner.client, id, { name: `${name}.txt`, content }) };
}

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  cleo = await addMember(anna, 'cleo@example.com', 'admin');
  dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
  onlyMe = await makeGuarded(anna, 'secret', {});
  team = await makeGuarded(anna, 'shared', { acl: 'all_team_members' });
  partial = await makeGuarded(anna, 'partial', { acl: 'partial_members', partial_member_list: [ben.accountId] });
  await makeGuarded(dora, 'foreign', { acl: 'all_team_members' });
});

/** The caller sees the dataset on every way there is; what the others are refused is thereby shown to exist. */
async function expectSight(client: ApiClient, { id, document }: Guarded): Promise<void> {
  expect(await client.get(`/datasets/${id}`)).toMatchObject({ id });
  const listed = await client.get<Page<{ id: string }>>('/datasets/?limit=100');
  expect(listed.items.map((item) => item.id)).toContain(id);
  const documents = await client.get<Page<DocumentRecord>>(`/documents/?dataset_id=${id}`);
  expect(documents.items.map((item) => item.id)).toContain(document.id);
  for (const part of ['', '/status', '/timeline', '/chunks', '/text', '/content']) {
    expect((await client.send('GET', `/documents/${document.id}${part}`)).status, part).toBe(200);
  }
  expect((await client.search(QUESTION, [id])).results[0]?.document_id).toBe(document.id);
  expect((await client.chat(QUESTION, [id])).choices[0]!.message.content).toContain('magenta');
  const model = `dataset:${id}`;
  const models = await client.get<{ data: { id: string }[] }>('/models');
  expect(models.data.map((one) => one.id)).toContain(model);
  expect(await client.get(`/models/${model}`)).toMatchObject({ id: model, port: 'chat' });
  const asked = { model, messages: [{ role: 'user', content: QUESTION }] };
  expect(JSON.stringify(await client.post('/chat/completions', asked))).toContain('magenta');
}

/** Nothing tells the caller that the dataset exists: the same answers as for an id that was never given out. */
async function expectNoSight(client: ApiClient, { id, document }: Guarded): Promise<void> {
  const listed = await client.send<Page<{ id: string; name: string }>>('GET', '/datasets/?limit=100');
  expect(listed.body.items.map((item) => item.id)).not.toContain(id);
  const documents = await client.get<Page<DocumentRecord>>('/documents/?limit=100');
  expect(documents.items.map((item) => item.id)).not.toContain(document.id);
  expect(await client.get(`/documents/?dataset_id=${id}`)).toMatchObject({ items: [], total: 0 });

  expect(JSON.stringify(await client.get('/models'))).not.toContain(id);

  const never = '01900000-0000-7000-8000-000000000000';
  const chat = { messages: [{ role: 'user', content: QUESTION }] };
  const attempts = (dataset: string, file: string): [string, string, unknown?][] => [
    ['GET', `/datasets/${dataset}`],
    ['PATCH', `/datasets/${dataset}`, { description: 'mine now' }],
    ['GET', `/datasets/${dataset}/categories`],
    ['PUT', `/datasets/${dataset}/categories`, { category_ids: [] }],
    ['GET', `/datasets/${dataset}/ingestion-policy`],
    ['GET', `/documents/${file}`],
    ['GET', `/documents/${file}/status`],
    ['GET', `/documents/${file}/timeline`],
    ['GET', `/documents/${file}/chunks`],
    ['GET', `/documents/${file}/text`],
    ['GET', `/documents/${file}/content`],
    ['DELETE', `/documents/${file}`],
    ['POST', '/documents/upload', uploadForm({ name: 'intruder.txt', content: 'intruder' }, { dataset_id: dataset })],
    ['POST', '/retrieval/search', { query: QUESTION, dataset_ids: [dataset] }],
    ['POST', '/chat/completions', { ...chat, dataset_ids: [dataset] }],
    ['POST', '/chat/completions', { ...chat, dataset_ids: [dataset], stream: true }],
    ['POST', '/chat/completions', { ...chat, model: `dataset:${dataset}` }],
    ['GET', `/models/dataset:${dataset}`],
  ];
  const absent = attempts(never, never);
  for (const [index, [method, path, body]] of attempts(id, document.id).entries()) {
    const problem = expectProblem(
      await client.send(method, path, body),
      404,
      /^(datasets|documents|chat)\.(model_)?not_found$/,
    );
    const [sameMethod, absentPath, absentBody] = absent[index]!;
    const reference = expectProblem(await client.send(sameMethod, absentPath, absentBody), 404, problem.code);
    expect(problem.detail.replaceAll(id, never), `${method} ${path}`).toBe(reference.detail);
    expect(problem.title).toBe(reference.title);
  }
}

describe('a dataset with only_me', () => {
  it('is seen by its owner', () => expectSight(anna.client, onlyMe));
  it('is not seen by another member', () => expectNoSight(ben.client, onlyMe));
  it('is not seen by another tenant', () => expectNoSight(dora.client, onlyMe));
  it('is not seen through an API key of another member', async () =>
    expectNoSight(await withApiKey(ben, ALL_SCOPES), onlyMe));

  it('gives its text to no administrator, in no way', async () => {
    for (const part of ['/chunks', '/text', '/content']) {
      expectProblem(
        await cleo.client.send('GET', `/documents/${onlyMe.document.id}${part}`),
        404,
        'documents.not_found',
      );
    }
    const search = { query: QUESTION, dataset_ids: [onlyMe.id] };
    expectProblem(await cleo.client.send('POST', '/retrieval/search', search), 404, 'datasets.not_found');
    const listed = await cleo.client.send<Page<{ id: string; name: string }>>('GET', '/datasets/?limit=100');
    expect(JSON.stringify(listed.body)).not.toContain('secret');
  });

  it('is found by an administrator among the datasets of the tenant, without its name', async () => {
    interface Row {
      readonly id: string;
      readonly name: string | null;
      readonly size_bytes: number;
    }
    const list = async (client: ApiClient): Promise<readonly Row[]> =>
      (await client.get<Page<Row>>(`/tenants/${anna.tenantId}/datasets?limit=100`)).items;
    const found = (await list(cleo.client)).find(({ id }) => id === onlyMe.id);
    expect(found).toMatchObject({
      name: null,
      owner_id: anna.accountId,
      acl: 'only_me',
      document_counts: { completed: 1, total: 1 },
      size_bytes: expect.toSatisfy((bytes: number) => bytes > 10),
    });
    expect(JSON.stringify(await list(cleo.client))).not.toContain('secret');
    expect((await list(cleo.client)).find(({ id }) => id === team.id)?.name).not.toBeNull();
    expect((await list(anna.client)).find(({ id }) => id === onlyMe.id)?.name).toContain('secret');
    const path = `/tenants/${anna.tenantId}/datasets`;
    expectProblem(await ben.client.send('GET', path), 403, 'auth.permission_missing');
    expectProblem(await dora.client.send('GET', path), 404, 'accounts.tenant_not_found');
  });

  it('can be deleted by an administrator, who does not see it', async () => {
    const short = await makeGuarded(ben, 'doomed', {});
    const { status, body } = await cleo.client.send('DELETE', `/datasets/${short.id}`);
    expect(status, JSON.stringify(body)).toBe(202);
    expectProblem(await ben.client.send('GET', `/datasets/${short.id}`), 404, 'datasets.not_found');
    expectProblem(await ben.client.send('GET', `/documents/${short.document.id}`), 404, 'documents.not_found');
  });
});

describe('a dataset with all_team_members', () => {
  it('is seen by its owner', () => expectSight(anna.client, team));
  it('is seen by another member', () => expectSight(ben.client, team));
  it('is seen by an administrator', () => expectSight(cleo.client, team));
  it('is not seen by another tenant', () => expectNoSight(dora.client, team));
  it('is not deleted by a member who is neither owner nor administrator', async () => {
    expectProblem(await ben.client.send('DELETE', `/datasets/${team.id}`), 403, 'datasets.delete_forbidden');
  });
  it('does not let a member change who sees it', async () => {
    expectProblem(
      await ben.client.send('PATCH', `/datasets/${team.id}`, { acl: 'only_me' }),
      403,
      'datasets.acl_forbidden',
    );
  });
});

describe('a dataset with partial_members', () => {
  it('is seen by its owner', () => expectSight(anna.client, partial));
  it('is seen by who is on its list', () => expectSight(ben.client, partial));
  it('is not seen by another tenant', () => expectNoSight(dora.client, partial));
  it('is not seen by a member who is not on the list', async () => {
    const eve = await addMember(anna, 'eve@example.com', 'editor');
    await expectNoSight(eve.client, partial);
  });
  it('is not seen any more by who is taken off its list', async () => {
    const dataset = await makeGuarded(anna, 'fading', { acl: 'partial_members', partial_member_list: [ben.accountId] });
    await expectSight(ben.client, dataset);
    await anna.client.patch(`/datasets/${dataset.id}`, { partial_member_list: [] });
    await expectNoSight(ben.client, dataset);
  });
});

describe('one search over several datasets', () => {
  it('is 404 as soon as one of them is not visible, and says nothing of the others', async () => {
    const search = { query: QUESTION, dataset_ids: [team.id, onlyMe.id] };
    expectProblem(await ben.client.send('POST', '/retrieval/search', search), 404, 'datasets.not_found');
  });

  it('returns fragments of the datasets asked and of no other', async () => {
    const { results } = await anna.client.search('vault colour magenta', [team.id, partial.id]);
    expect(new Set(results.map(({ dataset_id: id }) => id))).toEqual(new Set([team.id, partial.id]));
  });

  it('is not changed by uploads into other datasets and other tenants', async () => {
    const before = await anna.client.search(QUESTION, [team.id]);
    const other = await dora.client.createDataset('noise');
    await ingest(dora.client, other, { name: 'noise.txt', content: 'vault colour magenta '.repeat(200) });
    await ingest(anna.client, onlyMe.id, { name: 'noise.txt', content: 'vault colour magenta '.repeat(200) });
    expect((await anna.client.search(QUESTION, [team.id])).results).toEqual(before.results);
  });
});

describe('an API key', () => {
  it('with the scopes of its account and no dataset list sees what the account sees', async () => {
    const key = await withApiKey(ben, ALL_SCOPES);
    await expectSight(key, team);
    await expectSight(key, partial);
    await expectNoSight(key, onlyMe);
  });

  it('with scopes [] may do nothing, and its list is empty', async () => {
    const key = await withApiKey(anna, []);
    expect(await key.get('/datasets/')).toMatchObject({ items: [], total: 0 });
    expectProblem(await key.send('GET', `/datasets/${team.id}`), 403, 'auth.permission_missing');
    expectProblem(await key.send('POST', '/datasets/', { name: 'Never' }), 403, 'auth.permission_missing');
    expectProblem(await key.send('GET', `/documents/${team.document.id}`), 403, 'auth.permission_missing');
    const search = { query: QUESTION, dataset_ids: [team.id] };
    expectProblem(await key.send('POST', '/retrieval/search', search), 403, 'auth.permission_missing');
    const chat = { messages: [{ role: 'user', content: QUESTION }], dataset_ids: [team.id] };
    expectProblem(await key.send('POST', '/chat/completions', chat), 403, 'auth.permission_missing');
  });

  it('with a dataset list sees these datasets and no other of its account', async () => {
    const key = await withApiKey(anna, ALL_SCOPES, { dataset_ids: [team.id] });
    await expectSight(key, team);
    await expectNoSight(key, onlyMe);
    await expectNoSight(key, partial);
    expectProblem(await key.send('POST', '/datasets/', { name: 'Never' }), 403, 'datasets.key_restricted');
  });

  it('with one scope has this one right', async () => {
    const key = await withApiKey(anna, ['retrieval:search']);
    expect((await key.search(QUESTION, [team.id])).results[0]?.document_id).toBe(team.document.id);
    expectProblem(await key.send('GET', `/documents/${team.document.id}`), 403, 'auth.permission_missing');
  });

  it('with a role is bounded by it', async () => {
    const key = await withApiKey(anna, ALL_SCOPES, { role: 'viewer' });
    await expectSight(key, team);
    expectProblem(await key.send('POST', '/datasets/', { name: 'Never' }), 403, 'auth.permission_missing');
  });

  it('cannot be made for a dataset that its account does not see, nor for rights that it does not have', async () => {
    const invisible = { name: 'x', scopes: ['datasets:read'], dataset_ids: [onlyMe.id] };
    expectProblem(await ben.client.send('POST', '/auth/api-keys', invisible), 404, 'datasets.not_found');
    const beyond = { name: 'x', scopes: ['members:manage'] };
    expectProblem(await ben.client.send('POST', '/auth/api-keys', beyond), 422, 'http.validation_failed');
  });

  it('reads no details of the health, and neither does an account without the permission', async () => {
    const key = await withApiKey(anna, ['tenant:observability']);
    expectProblem(await key.send('GET', '/health/details'), 403, 'auth.account_required');
    expectProblem(await ben.client.send('GET', '/health/details'), 403, 'auth.permission_missing');
    expect(await cleo.client.get('/health/details')).toMatchObject({
      status: 'up',
      components: { database: { status: 'up' } },
    });
  });
});

describe('a viewer', () => {
  it('reads, searches and asks, and writes nothing', async () => {
    const viewer = await addMember(anna, 'viewer@example.com', 'viewer');
    await expectSight(viewer.client, team);
    expectProblem(await viewer.client.send('POST', '/datasets/', { name: 'Never' }), 403, 'auth.permission_missing');
    expectProblem(
      await viewer.client.send('PATCH', `/datasets/${team.id}`, { name: 'Never' }),
      403,
      'auth.permission_missing',
    );
    expectProblem(await viewer.client.send('DELETE', `/documents/${team.document.id}`), 403, 'auth.permission_missing');
    const form = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: team.id });
    expectProblem(await viewer.client.send('POST', '/documents/upload', form), 403, 'auth.permission_missing');
  });
});

describe('a tenant', () => {
  it('is made without any sight of its data', async () => {
    const zoe = await addTenant(service.platform, 'Made by the platform', 'zoe@example.com');
    const guarded = await makeGuarded(zoe, 'zoe', { acl: 'all_team_members' });
    await expectSight(zoe.client, guarded);
    await expectNoSight(anna.client, guarded);
    const inside = anna.client.with({ 'X-Tenant-ID': zoe.tenantId });
    expect(await inside.get('/datasets/')).toMatchObject({ items: [], total: 0 });
    expectProblem(await inside.send('GET', `/datasets/${guarded.id}`), 404, 'datasets.not_found');
  });

  it('is made by the first administrator only', async () => {
    const wanted = { name: 'Mine', admin_email: 'x@example.com', admin_password: 'a long enough password' };
    expectProblem(await dora.client.send('POST', '/tenants', wanted), 403, 'auth.permission_missing');
    expectProblem(await cleo.client.send('POST', '/tenants', wanted), 403, 'auth.permission_missing');
  });

  it('is chosen by X-Tenant-ID for an account with several', async () => {
    const wanted = { email: ben.email, role: 'viewer' };
    const { secret } = await dora.client.post<{ secret: string }>(`/tenants/${dora.tenantId}/members`, wanted);
    expect(await ben.client.get('/tenants')).toMatchObject({ total: 1 });
    await ben.client.post('/auth/invitations/accept', { secret });
    const names = async (client: ApiClient): Promise<string[]> =>
      (await client.get<Page<{ name: string }>>('/datasets/?limit=100')).items.map(({ name }) => name);
    expect(await names(ben.client)).toContain('shared');
    expect(await names(ben.client)).not.toContain('foreign');
    expect(await names(ben.client.with({ 'X-Tenant-ID': dora.tenantId }))).toContain('foreign');
    expect(await names(ben.client.with({ 'X-Tenant-ID': dora.tenantId }))).not.toContain('shared');
  });
});
