import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { BAD_POLICIES, GOOD_POLICIES } from '../../src/modules/ingestion-policy/testing/policy-cases.js';
import { uploadForm, type Answer, type ApiClient, type Page } from '../support/api-client.js';
import { addMember, personOf, withApiKey } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

interface PolicyVersion {
  readonly version: number;
  readonly fingerprint: string;
  readonly comment: string | null;
  readonly policy: { readonly chunking: { readonly chunk_size: number } } & Readonly<Record<string, unknown>>;
}

const service = useTenant();
let client: ApiClient;
let made = 0;

beforeAll(() => {
  client = service.admin;
});

const newDataset = (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  client.createDataset(`Policies ${++made}`, more);
const pathOf = (dataset: string, rest = ''): string => `/datasets/${dataset}/ingestion-policy${rest}`;
const put = (dataset: string, policy: unknown, query = '', headers = {}): Promise<Answer<PolicyVersion>> =>
  client.send('PUT', pathOf(dataset, query), JSON.stringify(policy), headers);
const importFile = (dataset: string, name: string, content: string, headers = {}): Promise<Answer<PolicyVersion>> =>
  client.send('POST', pathOf(dataset, '/import'), uploadForm({ name, content }, {}), headers);
const read = (dataset: string): Promise<PolicyVersion> => client.get(pathOf(dataset));

/** Checks for 400 and that exactly these JSON pointers are named. */
function expectBadPolicy(answer: Answer<unknown>, pointers: readonly string[]): void {
  const problem = expectProblem(answer, 400, 'ingestion_policy.invalid');
  expect(problem.errors?.map(({ pointer }) => pointer).toSorted(), JSON.stringify(problem)).toEqual(
    pointers.toSorted(),
  );
  for (const { code, detail } of problem.errors ?? []) {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(detail).toMatch(/\S{2}/);
  }
}

describe('replacing a policy', () => {
  it('appends a version with defaults for what is left out, and changes the entity tags of policy and dataset', async () => {
    const dataset = await newDataset();
    const first = await client.send<PolicyVersion>('GET', pathOf(dataset));
    expect(first.headers.get('etag')).toMatch(/^W\/"1\./);
    const before = await client.send('GET', `/datasets/${dataset}`);
    const answer = await put(dataset, { chunking: { chunk_size: 200 } }, '?comment=Smaller%20ones');
    expect(answer).toMatchObject({
      status: 200,
      body: { version: 2, comment: 'Smaller ones', policy: { chunking: { chunk_size: 200, chunk_overlap: 64 } } },
    });
    expect(answer.headers.get('etag')).toMatch(/^W\/"2\./);
    expect(await read(dataset)).toEqual(answer.body);
    const after = await client.send('GET', `/datasets/${dataset}`);
    expect(after.body).toMatchObject({ ingestion_policy_version: 2 });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('takes what it gives', async () => {
    const dataset = await newDataset();
    const { policy, fingerprint } = await read(dataset);
    expect((await put(dataset, policy)).body).toMatchObject({ version: 2, fingerprint, policy });
  });

  it('answers 412 to anyone who has not seen the newest version', async () => {
    const dataset = await newDataset();
    expect((await put(dataset, {}, '', { 'If-Match': '"1"' })).status).toBe(200);
    expectProblem(await put(dataset, {}, '', { 'If-Match': '"1"' }), 412, 'http.precondition_failed');
    expect((await put(dataset, {}, '', { 'If-Match': '*' })).body).toMatchObject({ version: 3 });
  });

  it('keeps every one of many that come at once', async () => {
    const dataset = await newDataset();
    const sizes = Array.from({ length: 8 }, (_each, n) => 100 + n);
    const answers = await Promise.all(sizes.map((size) => put(dataset, { chunking: { chunk_size: size } })));
    expect(answers.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [index, { body }] of answers.entries()) {
      const kept = await client.get<PolicyVersion>(pathOf(dataset, `/versions/${body.version}`));
      expect(kept.policy.chunking.chunk_size).toBe(sizes[index]);
    }
  });

  it('needs policies:write, and reading does not', async () => {
    const owner = await personOf(client, service.owner.email);
    const viewer = await addMember(owner, 'policy-viewer@example.com', 'viewer');
    const dataset = await newDataset({ acl: 'all_team_members' });
    expect(await viewer.client.get(pathOf(dataset))).toMatchObject({ version: 1 });
    for (const [method, rest, body] of [
      ['PUT', '', {}],
      ['POST', '/rollback', { version: 1 }],
      ['POST', '/import', uploadForm({ name: 'p.json', content: '{}' }, {})],
    ] as const)
      expectProblem(await viewer.client.send(method, pathOf(dataset, rest), body), 403, 'auth.permission_missing');
    const key = await withApiKey(owner, ['datasets:read', 'datasets:write']);
    const document = { format: 'knowledge-base-dataset-config', version: 1, ingestion_policy: {} };
    const imported = await key.send('POST', `/datasets/${dataset}/config/import`, document);
    expectProblem(imported, 403, 'auth.permission_missing');
  });
});

describe('a bad policy', () => {
  let dataset: string;

  beforeAll(async () => {
    dataset = await newDataset();
  });

  it('comes in many kinds', () => {
    expect(BAD_POLICIES.length).toBeGreaterThan(50);
  });

  it.each(BAD_POLICIES)('is 400 with every problem at its place: $what', async ({ policy, pointers }) => {
    expectBadPolicy(await put(dataset, policy), pointers);
    expectBadPolicy(await importFile(dataset, 'policy.json', JSON.stringify(policy)), pointers);
    expect((await read(dataset)).version).toBe(1);
  });

  // A body drops what is named like a part of every object before anybody sees it, and a policy in it must be an object.
  const inBodies = BAD_POLICIES.filter(
    ({ policy, pointers }) => !pointers.includes('') && !Object.hasOwn(policy as object, 'constructor'),
  );

  it.each(inBodies)('is refused in a trial and in a configuration alike: $what', async ({ policy, pointers }) => {
    const isBroken = /\\u0000|\\ud800/.test(JSON.stringify(policy));
    const trial = { policy, document_ids: ['01900000-0000-7000-8000-000000000001'] };
    const tried = await client.send('POST', pathOf(dataset, '/dry-run'), trial);
    const under = (parent: string): string[] => pointers.map((pointer) => parent + pointer);
    if (isBroken) expectInvalid(tried, under('/policy'));
    else expectBadPolicy(tried, under('/policy'));
    const document = { format: 'knowledge-base-dataset-config', version: 1, ingestion_policy: policy };
    const imported = await client.send('POST', `/datasets/${dataset}/config/import`, document);
    expectInvalid(imported, under('/ingestion_policy'));
  });

  it.each([
    ['no JSON', '{"chunking":', 'http.malformed_json'],
    ['nothing', '', 'http.malformed_json'],
    ['a prototype', '{"__proto__": {}}', 'http.malformed_json'],
    ['very deep lists', '['.repeat(50_000) + ']'.repeat(50_000), 'http.nested_too_deeply'],
  ])('is 400 when it is %s', async (_what, body, code) => {
    expectProblem(await client.send('PUT', pathOf(dataset), body, { 'Content-Type': 'application/json' }), 400, code);
  });

  it('is 413 when it is larger than any policy, 415 when it is no JSON', async () => {
    const large = { chunking: { separators: ['x'.repeat(100_000)] } };
    expectProblem(await put(dataset, large), 413, 'ingestion_policy.too_large');
    expectProblem(await importFile(dataset, 'p.json', JSON.stringify(large)), 413, 'ingestion_policy.too_large');
    const yaml = await client.send('PUT', pathOf(dataset), 'kg: {}', { 'Content-Type': 'application/yaml' });
    expectProblem(yaml, 415, 'http.media_type_not_supported');
  });

  it('does not excuse a comment that is too long, nor a query that no one knows', async () => {
    expectInvalid(await put(dataset, {}, `?comment=${'x'.repeat(501)}`), ['/comment']);
    expectInvalid(await put(dataset, {}, '?why=x'), ['/why']);
    expect((await put(dataset, {}, `?comment=${'x'.repeat(500)}`)).status).toBe(200);
  });
});

describe('the schema of policies', () => {
  let validate: ValidateFunction;

  beforeAll(async () => {
    const answer = await client.send<Record<string, unknown>>('GET', '/schemas/ingestion-policy');
    expect(answer.headers.get('content-type')).toMatch(/^application\/schema\+json\b/);
    expect(answer.body).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(answer.body);
  });

  it.each(GOOD_POLICIES)('fits what is taken: $what', async ({ policy }) => {
    expect(validate(policy), JSON.stringify(validate.errors)).toBe(true);
    const dataset = await newDataset();
    const { status, body } = await put(dataset, policy);
    expect(status).toBe(200);
    expect(validate(body.policy), 'as it is answered').toBe(true);
  });

  it('fits nothing that is refused, but for the rules that no schema can say', () => {
    const beyond = BAD_POLICIES.filter(({ policy }) => validate(policy)).map(({ what }) => what);
    expect(new Set(beyond)).toEqual(
      new Set([
        'a separator with NUL',
        'a separator with half a character',
        'an overlap of half the size',
        'an overlap of half the default size',
        'an unknown encoding',
        'an unknown encoding for one type',
        'two detectors of one kind',
        'fewer candidates than results',
      ]),
    );
  });

  it('is the one of the OpenAPI description', async () => {
    const schema = await client.get<Record<string, unknown>>('/schemas/ingestion-policy');
    const description = await client.get<{ components: { schemas: Record<string, object> } }>('/openapi.json');
    const { $schema: _schema, $id: _id, title: _title, ...rest } = schema;
    const [described, served] = [description.components.schemas['IngestionPolicy'], rest].map(headerRowsOf);
    // Generators of clients want a default beside the alternative that names it; validators want it beside all of them.
    const words = { type: 'string', enum: ['auto'], default: 'auto' };
    expect(described).toMatchObject({ anyOf: expect.arrayContaining([expect.objectContaining(words)]) });
    expect(described).not.toHaveProperty('default');
    expect(served).toMatchObject({ default: 'auto' });
    const without = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (key === 'default' && inner === 'auto' ? undefined : inner)),
      );
    expect(without(description.components.schemas['IngestionPolicy'])).toEqual(without(rest));
  });

  it('is for anybody with a credential', async () => {
    expectProblem(await service.anonymous.send('GET', '/schemas/ingestion-policy'), 401, 'auth.credential_missing');
  });
});

function headerRowsOf(schema: unknown): unknown {
  const { properties } = schema as { properties: { tables: { properties: { header_rows: unknown } } } };
  return properties.tables.properties.header_rows;
}

describe('versions of a policy', () => {
  it('are listed newest first with what became of them, compared, and gone back to', async () => {
    const dataset = await newDataset();
    await put(dataset, { chunking: { chunk_size: 300 } }, '?comment=two');
    const back = await client.send<PolicyVersion>('POST', pathOf(dataset, '/rollback'), { version: 1, comment: 'no' });
    expect(back).toMatchObject({ status: 200, body: { version: 3, policy: { chunking: { chunk_size: 512 } } } });
    const page = await client.get<Page<Record<string, unknown>>>(pathOf(dataset, '/versions?limit=2'));
    expect(page).toMatchObject({ total: 3, skip: 0, limit: 2 });
    expect(page.items).toMatchObject([
      { version: 3, source_version: 1, comment: 'no', documents_on_version: 0 },
      { version: 2, source_version: null, comment: 'two', documents_on_version: 0 },
    ]);
    const change = { pointer: '/chunking/chunk_size', op: 'changed' };
    // A policy that says nothing of archives has what was done before that could be said.
    const archive = { pointer: '/parsing/archive', op: 'changed' };
    expect(await client.get(pathOf(dataset, '/diff'))).toMatchObject({
      items: [
        { ...archive, from: 'whole', to: 'split' },
        { ...change, from: 300, to: 512 },
      ],
    });
    const diff = await client.get(pathOf(dataset, '/diff?from=1&to=2'));
    const items = [
      { ...archive, from: 'split', to: 'whole' },
      { ...change, from: 512, to: 300 },
    ];
    expect(diff).toEqual({ from: 1, to: 2, items, total: 2 });
    expect(await client.get(pathOf(dataset, '/diff?from=3&to=1'))).toMatchObject({ items: [] });
  });

  it('that never were are 404, those that were cleaned up 410', async () => {
    const dataset = await newDataset();
    for (let version = 2; version <= 53; version += 1) await put(dataset, { chunking: { chunk_size: 64 + version } });
    expect(await client.get(pathOf(dataset, '/versions?limit=100'))).toMatchObject({ total: 50 });
    const gone = 'ingestion_policy.version_cleaned_up';
    const never = 'ingestion_policy.version_not_found';
    for (const version of ['1', '3']) {
      const problem = expectProblem(await client.send('GET', pathOf(dataset, `/versions/${version}`)), 410, gone);
      expect(problem.detail).toContain('from 4 on');
      const rolledBack = await client.send('POST', pathOf(dataset, '/rollback'), { version: Number(version) });
      expectProblem(rolledBack, 410, gone);
      expectProblem(await client.send('GET', pathOf(dataset, `/diff?from=${version}&to=50`)), 410, gone);
    }
    for (const version of ['54', '0', '-1', 'abc', '1e1', '4.0', '99999999999999999999'])
      expectProblem(await client.send('GET', pathOf(dataset, `/versions/${version}`)), 404, never);
    expectProblem(await client.send('POST', pathOf(dataset, '/rollback'), { version: 54 }), 404, never);
    expectProblem(await client.send('GET', pathOf(dataset, '/diff?from=4&to=54')), 404, never);
    expect(await client.get(pathOf(dataset, '/versions/4'))).toMatchObject({ version: 4 });
    expect((await read(dataset)).version).toBe(53);
  });

  it('are asked for in words that make sense', async () => {
    const dataset = await newDataset();
    for (const query of ['from=0', 'to=x', 'from=', 'to=1.5', 'since=1'])
      expect((await client.send('GET', pathOf(dataset, `/diff?${query}`))).status, query).toBe(422);
    for (const body of [
      {},
      { version: '1' },
      { version: 0 },
      { version: 1.5 },
      { version: null },
      { version: 1, x: 1 },
    ])
      expectProblem(await client.send('POST', pathOf(dataset, '/rollback'), body), 422, 'http.validation_failed');
    expect((await read(dataset)).version).toBe(1);
  });

  it('are rolled back once for one Idempotency-Key', async () => {
    const dataset = await newDataset();
    const headers = { 'Idempotency-Key': 'once' };
    const answers = [];
    for (let n = 0; n < 2; n += 1)
      answers.push(await client.send<PolicyVersion>('POST', pathOf(dataset, '/rollback'), { version: 1 }, headers));
    expect(answers.map(({ body }) => body.version)).toEqual([2, 2]);
    expect(answers[1]!.headers.get('etag')).toMatch(/^W\/"2\./);
    expect((await read(dataset)).version).toBe(2);
  });

  it('are followed by new documents only', async () => {
    const dataset = await newDataset();
    const content = 'One sentence about pumps. '.repeat(300);
    const { id } = await client.upload(dataset, { name: 'old.txt', content });
    await client.pollUntilTerminal(id);
    await put(dataset, { chunking: { chunk_size: 64 } });
    const younger = await client.upload(dataset, { name: 'new.txt', content: `${content} More.` });
    const fresh = await client.pollUntilTerminal(younger.id);
    const old = await client.get<{ policy_version: number; chunk_count: number }>(`/documents/${id}`);
    expect(old.policy_version).toBe(1);
    expect(fresh).toMatchObject({ policy_version: 2 });
    expect(fresh.chunk_count).toBeGreaterThan(old.chunk_count);
    const page = await client.get<Page<Record<string, unknown>>>(pathOf(dataset, '/versions'));
    expect(page.items.map((item) => item['documents_on_version'])).toEqual([1, 1]);
    expect(await client.get(`/datasets/${dataset}/health`)).toMatchObject({
      status: 'degraded',
      stale: { policy: 1, embedding: 0 },
      index: { parity: 'equal' },
      advice: [{ code: 'STALE_POLICY' }],
    });
  });
});

describe('search options of a policy', () => {
  it.each<[string, object, readonly string[]]>([
    ['a reranker', { rerank: { provider: 'nobody' } }, ['/retrieval_defaults/rerank/provider']],
    ['a model that writes', { query_expansion: 'hyde' }, ['/retrieval_defaults/query_expansion']],
    ['a known key', { filters: { type: 'eq', key: 'colour', value: 1 } }, ['/retrieval_defaults/filters/key']],
    ['a whole filter', { filters: { type: 'and' } }, ['/retrieval_defaults/filters/filters']],
  ])('that need what there is not are refused: %s', async (_what, retrieval_defaults, pointers) => {
    const dataset = await newDataset();
    expectBadPolicy(await put(dataset, { retrieval_defaults }), pointers);
    expect(await read(dataset)).toMatchObject({ version: 1, policy: { retrieval_defaults: {} } });
  });

  it('hold for searches, explanations and chats that are silent, and touch no document', async () => {
    const dataset = await newDataset();
    const lines = Array.from({ length: 60 }, (_, n) => `Pump ${n} is serviced by the technician of hall ${n}.`);
    await put(dataset, { chunking: { chunk_size: 64, chunk_overlap: 0 } });
    const { id } = await client.upload(dataset, { name: 'pumps.txt', content: lines.join('\n\n') });
    await client.pollUntilTerminal(id);
    const before = await client.get(`/documents/${id}`);
    const policy = { chunking: { chunk_size: 64, chunk_overlap: 0 }, retrieval_defaults: { top_k: 2 } };
    expect((await put(dataset, policy)).body.policy).toMatchObject({ retrieval_defaults: { top_k: 2 } });
    const asked = { query: 'Who services the pump?', dataset_ids: [dataset] };
    const search = async (more: object = {}): Promise<number> =>
      (await client.post<{ results: unknown[] }>('/retrieval/search', { ...asked, ...more })).results.length;
    expect(await search()).toBe(2);
    expect(await search({ top_k: 3 })).toBe(3);
    const chat = { messages: [{ role: 'user', content: 'Who services pump 7?' }], dataset_ids: [dataset] };
    const { retrieval } = await client.post<{ retrieval: { counts: object } }>('/chat/completions', chat);
    expect(retrieval.counts).toMatchObject({ returned: 2 });
    const explained = { ...asked, expected: { document_id: id } };
    const { retrieval: report } = await client.post<{ retrieval: { counts: object } }>('/retrieval/explain', explained);
    expect(report.counts).toMatchObject({ returned: 2 });
    expect(await client.get(`/documents/${id}`)).toEqual(before);
    const health = await client.get(`/datasets/${dataset}/health`);
    expect(health).toMatchObject({ status: 'healthy', stale: { policy: 0 } });
  });
});
