import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingest, readFixture } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'How many vacation days does every employee have?';
const PAGE = 'https://intranet.example.com';
const service = useService({
  settings: { CORS_ORIGINS: PAGE, RATE_LIMITS: 'on', RATE_LIMIT_SEARCH: '60', RATE_LIMIT_DEFAULT: '500' },
});
let datasetId: string;
let documentId: string;
let secret: string;
let searchOnly: string;

const keyOf = async (name: string, scopes: readonly string[]): Promise<string> =>
  (await service.admin.post<{ secret: string }>('/auth/api-keys', { name, scopes })).secret;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Handbook');
  documentId = (await ingest(service.admin, datasetId, await readFixture('handbook.md'))).id;
  secret = await keyOf('agent', ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete']);
  searchOnly = await keyOf('searcher', ['retrieval:search']);
});

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { readonly error_code?: number };
}

async function send(path: string, body: unknown, key: string | null = secret, headers = {}): Promise<Sent> {
  const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
  const response = await fetch(`${service.process.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...authorization, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

describe("OpenAI's embeddings", () => {
  const client = (): OpenAI => new OpenAI({ baseURL: service.process.url, apiKey: secret, maxRetries: 0 });

  it('are given to the official client, equal in both encodings', async () => {
    const input = ['vacation days', 'a lost badge', 'vacation days'];
    const packed = await client().embeddings.create({ model: 'default', input });
    const plain = await client().embeddings.create({ model: 'default', input, encoding_format: 'float' });
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(plain.data.map(({ embedding }) => embedding));
    expect(plain.data[0]?.embedding).toEqual(plain.data[2]?.embedding);
    expect(Math.hypot(...(plain.data[1]?.embedding ?? []))).toBeCloseTo(1, 5);
    expect(plain.usage.prompt_tokens).toBeGreaterThan(3);
  });

  it.each([
    [422, { input: [] }],
    [422, { input: [''] }],
    [422, { input: [[1, 2, 3]] }],
    [422, { input: Array.from({ length: 257 }, () => 'a') }],
    [422, { input: 'a', dimensions: 3 }],
    [422, { input: 'a', encoding_format: 'hex' }],
    [404, { input: 'a', model: 'text-embedding-3-small' }],
  ])('answer %i to %o', async (status, body) => {
    expect((await send('/embeddings', body)).status).toBe(status);
  });
});

describe('Dify', () => {
  const ask = (changes: object, key?: string | null, headers?: Record<string, string>): Promise<Sent> =>
    send(
      '/integrations/dify/retrieval',
      { knowledge_id: datasetId, query: QUESTION, retrieval_setting: { top_k: 2, score_threshold: 0 }, ...changes },
      key,
      headers,
    );

  it('gets records of a dataset', async () => {
    const { status, body } = await ask({});
    expect(status).toBe(200);
    const records = body['records'] as { title: string; content: string; score: number; metadata: { path: string } }[];
    expect(records[0]).toMatchObject({ title: 'handbook.md', content: expect.stringContaining('29') });
    expect(records[0]?.metadata.path).toMatch(/^handbook\.md/);
    expect(records.length).toBeLessThanOrEqual(2);
  });

  it('gets those that meet its conditions', async () => {
    const named = (value: string): object => ({
      metadata_condition: {
        conditions: [{ name: ['document_name'], comparison_operator: 'is', value }],
      },
    });
    expect((await ask(named('handbook.md'))).body['records']).not.toEqual([]);
    expect((await ask(named('other.md'))).body['records']).toEqual([]);
  });

  it.each([
    'contains',
    'not contains',
    'is',
    'is not',
    'empty',
    'not empty',
    '=',
    '≠',
    '>',
    '<',
    '≥',
    '≤',
    'before',
    'after',
  ])('can compare with "%s"', async (comparison_operator) => {
    const conditions = [{ name: ['team'], comparison_operator, value: '7' }];
    expect((await ask({ metadata_condition: { conditions } })).status).toBe(200);
  });

  it.each([
    ['no credential', 401, 1001, {}, null],
    ['a bad credential', 401, 1002, {}, 'kb_nothing'],
    ['an empty credential', 401, 1001, {}, ''],
    ['an unknown dataset', 404, 2001, { knowledge_id: '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10' }, undefined],
    ['what is no id', 404, 2001, { knowledge_id: 'handbook' }, undefined],
    ['a setting out of range', 422, 422, { retrieval_setting: { top_k: 0 } }, undefined],
    ['a setting that is missing', 422, 422, { retrieval_setting: undefined }, undefined],
    ['a setting that is null', 422, 422, { retrieval_setting: null }, undefined],
    ['a setting that is a number', 422, 422, { retrieval_setting: 5 }, undefined],
    ['a list instead of a condition', 422, 422, { metadata_condition: { conditions: [[]] } }, undefined],
    [
      'an operator that it cannot say',
      422,
      422,
      { metadata_condition: { conditions: [{ name: ['a'], comparison_operator: 'sounds like', value: 'b' }] } },
      undefined,
    ],
  ] as const)('reads its own error numbers for %s', async (_name, status, error_code, changes, key) => {
    const answer = await ask(changes, key);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error_code, error_msg: expect.any(String), status, code: expect.any(String) });
  });

  it('names the place in its own request of a condition that cannot be', async () => {
    const unset = { name: ['team'], comparison_operator: 'is', value: '' };
    for (const operator of ['start with', 'contains', 'not contains', 'in', 'before']) {
      const conditions = [unset, { name: ['created_at'], comparison_operator: operator, value: 'x' }];
      const { status, body } = await ask({ metadata_condition: { conditions } });
      const pointer = expect.stringMatching(
        /^\/metadata_condition\/conditions\/1\/(value|comparison_operator)/,
      ) as string;
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ pointer }], error_code: 422 });
      expect(body['error_msg']).toContain(`"${operator}"`);
    }
    const conditions = [{ name: ['a'], comparison_operator: 'sounds like', value: 'b' }];
    expect((await ask({ metadata_condition: { conditions } })).body['error_msg']).toContain('"sounds like"');
  });

  it.each(['Basic YWRtaW46eA==', 'Bearer', 'Bearer  ', 'kb_key', 'Token x'])(
    'is told that the header is none of its kind: %s',
    async (authorization) => {
      const { status, body } = await ask({}, null, { Authorization: authorization });
      expect(status).toBe(401);
      expect(body.error_code).toBe(1001);
    },
  );
});

describe('the Model Context Protocol', () => {
  const clients: Client[] = [];
  const connect = async (key: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.process.url}/mcp`), { requestInit }));
    clients.push(client);
    return client;
  };
  const call = async (client: Client, name: string, given: object): Promise<Record<string, unknown>> => {
    const result = await client.callTool({ name, arguments: { ...given } });
    return { isError: result.isError === true, ...(result.structuredContent as object) };
  };
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
  });

  it('lets the official client list, search, answer, read and explain', async () => {
    const client = await connect(secret);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_datasets',
      'search',
      'answer',
      'explain_miss',
      'read_document',
    ]);
    expect(await call(client, 'list_datasets', {})).toMatchObject({ items: [{ id: datasetId, name: 'Handbook' }] });
    const found = await call(client, 'search', { query: QUESTION, dataset_ids: [datasetId], top_k: 1 });
    const { results } = found as unknown as { results: { document_id: string; position: { char_start: number } }[] };
    expect(results).toMatchObject([{ document_id: documentId, text: expect.stringContaining('29') }]);
    const answer = await call(client, 'answer', { question: QUESTION, dataset_ids: [datasetId] });
    expect(answer).toMatchObject({
      answer: expect.stringContaining('29'),
      citations: expect.arrayContaining([expect.objectContaining({ verified: true })]),
    });
    const start = results[0]!.position.char_start;
    const read = await call(client, 'read_document', { document_id: documentId, start, length: 40 });
    expect(read).toMatchObject({ document_name: 'handbook.md', start, end: start + 40, next_start: start + 40 });
    expect(read['text']).toHaveLength(40);
    const expected = { document_id: documentId };
    const miss = await call(client, 'explain_miss', {
      query: QUESTION,
      dataset_ids: [datasetId],
      score_threshold: 1,
      expected,
    });
    expect(miss).toMatchObject({ isError: false, verdict: expect.any(String) });
  });

  it('searches as the dataset says where a call is silent', async () => {
    const client = await connect(secret);
    const path = `/datasets/${datasetId}/ingestion-policy`;
    const put = (policy: object): Promise<unknown> => service.admin.send('PUT', path, JSON.stringify(policy));
    await put({ retrieval_defaults: { top_k: 1, search_method: 'keyword' } });
    const search = { query: QUESTION, dataset_ids: [datasetId] };
    const found = await call(client, 'search', search);
    expect(found).toMatchObject({ retrieval: { search_method: 'keyword', counts: { returned: 1 } } });
    await put({ retrieval_defaults: { filters: { type: 'eq', key: 'tags', value: 'none' } } });
    const dify = { knowledge_id: datasetId, query: QUESTION, retrieval_setting: { top_k: 2, score_threshold: 0 } };
    expect(await send('/integrations/dify/retrieval', dify)).toMatchObject({ status: 200, body: { records: [] } });
    await put({});
    expect((await send('/integrations/dify/retrieval', dify)).body['records']).not.toEqual([]);
  });

  it('takes null for an argument that is left out, and not for one that is needed', async () => {
    const client = await connect(secret);
    const nothing = { q: null, skip: null, limit: null };
    expect(await call(client, 'list_datasets', nothing)).toMatchObject({ items: [{ id: datasetId }], limit: 20 });
    const document = { document_id: documentId, start: null, length: null };
    expect(await call(client, 'read_document', document)).toMatchObject({ isError: false, start: 0 });
    const search = { query: null, dataset_ids: [datasetId] };
    expect(await call(client, 'search', search)).toMatchObject({ isError: true, code: 'http.validation_failed' });
  });

  it('holds each tool to the permission and the rules of its route', async () => {
    const client = await connect(searchOnly);
    expect(await call(client, 'list_datasets', {})).toMatchObject({ items: [], total: 0 });
    // What is wrong with the arguments is no matter of who may not call the tool.
    expect(await call(client, 'answer', {})).toMatchObject({ isError: true, code: 'auth.permission_missing' });
    const search = { query: QUESTION, dataset_ids: [datasetId] };
    expect(await call(client, 'search', search)).toMatchObject({ isError: false });
    const refused = await call(client, 'answer', { question: QUESTION, dataset_ids: [datasetId] });
    expect(refused).toMatchObject({ isError: true, status: 403, code: 'auth.permission_missing' });
    expect(await call(client, 'read_document', { document_id: documentId })).toMatchObject({ status: 403 });
    expect(await call(client, 'search', { ...search, top_k: 0 })).toMatchObject({
      isError: true,
      code: 'http.validation_failed',
      errors: [{ pointer: '/top_k' }],
    });
    expect(await call(client, 'search', { ...search, colour: 'red' })).toMatchObject({ isError: true, status: 422 });
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow('no tool "drop_tables"');
  });

  it('counts a tool as its route', async () => {
    const key = await keyOf('hasty', ['retrieval:search', 'datasets:read']);
    const message = (name: string): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
    const left = async (name: string): Promise<string | null> =>
      (await send('/mcp', message(name), key)).headers.get('RateLimit-Limit');
    expect(await left('search')).toBe('60');
    expect(await left('list_datasets')).toBe('500');
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1) statuses.add((await send('/mcp', message('search'), key)).status);
    expect([...statuses]).toEqual([200, 429]);
    expect((await send('/retrieval/search', { query: 'a', dataset_ids: [datasetId] }, key)).status).toBe(429);
  });

  it('answers what is no good message with a problem', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await send('/mcp', list, null)).toMatchObject({ status: 401 });
    expect(await send('/mcp', [list])).toMatchObject({ status: 422, body: { code: 'http.validation_failed' } });
    expect(await send('/mcp', { ...list, jsonrpc: '1.0' })).toMatchObject({ status: 422 });
    expect(await send('/mcp', { jsonrpc: '2.0', id: {} })).toMatchObject({ status: 422, body: { error_count: 2 } });
    expect(await send('/mcp', list, secret, { 'MCP-Protocol-Version': '1' })).toMatchObject({ status: 400 });
    expect(await send('/mcp', { ...list, method: 'resources/list' })).toMatchObject({
      status: 200,
      body: { error: { code: -32_601 } },
    });
    expect(await send('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202 });
    for (const params of [{ name: 'search', arguments: [] }, { name: 'search', arguments: null }, {}]) {
      const { status, body } = await send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const field = 'name' in params ? 'arguments' : 'name';
      expect({ status, body }).toMatchObject({ status: 200, body: { id: 1, error: { code: -32_602 } } });
      expect(JSON.stringify(body)).toContain(`params.${field}: Invalid input`);
    }
  });

  it('lets pages of named origins in and no others', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await send('/mcp', list, secret, { Origin: PAGE })).status).toBe(200);
    expect(await send('/mcp', list, secret, { Origin: 'https://evil.example.net' })).toMatchObject({
      status: 403,
      body: { code: 'integrations.origin_not_allowed' },
    });
  });
});
