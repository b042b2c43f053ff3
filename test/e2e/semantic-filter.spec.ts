import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient, UploadFile } from '../support/api-client.js';
import { addMember, addTenant, personOf, withApiKey } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import type { ProviderRequest } from '../support/provider-process.js';
import { useRemoteService } from '../support/remote-models.js';
import { useTenant } from '../support/shared-service.js';

interface Item {
  readonly id: string;
  readonly document_id: string;
  readonly document_name: string;
  readonly verdict: 'true' | 'false' | 'unknown';
  readonly score: number;
  readonly decided_by: string | null;
  readonly unknown_because: string | null;
  readonly rationale: string;
  readonly evidence: readonly {
    readonly kind: string;
    readonly text: string;
    readonly chunk_id: string | null;
    readonly char_start: number | null;
    readonly char_end: number | null;
  }[];
}
interface Answer {
  readonly items: readonly Item[];
  readonly readings: readonly { readonly table: string | null; readonly filters: readonly object[] }[];
  readonly stats: {
    readonly total: number;
    readonly looked_at: number;
    readonly not_looked_at: number;
    readonly verdicts: Readonly<Record<string, number>>;
    readonly decided_by: Readonly<Record<string, number>>;
    readonly unknown_because: Readonly<Record<string, number>>;
    readonly model_calls: number;
    readonly ordered_by: string;
  };
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

const FERRY = 'The ferry to Bergen leaves at noon. Its anchor was painted in April.';
const GARDEN = 'Tulips are planted in autumn. The hedge is cut twice a year.';
const POND = 'The pond freezes in winter. Nobody skates on it.';
const TREES = 'item,height,planted\nbirch,12,2019-04-01\noak,30,1950-04-01\nTotal,42,\n';

const ask = (client: ApiClient, dataset: string, body: object) =>
  client.send<Answer>('POST', `/datasets/${dataset}/semantic-filter`, body);

async function filtered(client: ApiClient, dataset: string, body: object): Promise<Answer> {
  const { status, body: answer } = await ask(client, dataset, body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer;
}

const verdictsOf = ({ items }: Answer) =>
  Object.fromEntries(items.map(({ document_name, verdict }) => [document_name, verdict]));

async function add(client: ApiClient, dataset: string, file: UploadFile, metadata: object = {}): Promise<string> {
  const { id } = await client.upload(dataset, file, { metadata: JSON.stringify(metadata) });
  expect((await client.pollUntilTerminal(id)).status).toBe('completed');
  return id;
}

const service = useTenant();

describe('a semantic filter without a chat model', () => {
  let dataset: string;
  let ferry: string;
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Ferries and gardens');
    ferry = await add(admin, dataset, { name: 'ferry.txt', content: FERRY }, { team: 'Fleet', year: 2021 });
    await add(admin, dataset, { name: 'garden.txt', content: GARDEN }, { team: 'Parks', year: 2024 });
    await add(admin, dataset, { name: 'pond.txt', content: POND }, { year: 2023 });
    await add(admin, dataset, { name: 'trees.csv', content: TREES });
  });

  it('decides by metadata where the predicate says it, and shows the condition', async () => {
    const answer = await filtered(service.admin, dataset, { predicate: 'team is Fleet' });
    expect(verdictsOf(answer)).toMatchObject({ 'ferry.txt': 'true', 'garden.txt': 'false', 'pond.txt': 'false' });
    expect(answer.items[0]).toMatchObject({
      id: ferry,
      score: 1,
      decided_by: 'metadata',
      evidence: [{ kind: 'metadata', text: 'Fleet', key: 'metadata.team' }],
    });
    expect(answer.readings).toMatchObject([
      { table: null, filters: [{ type: 'eq', key: 'metadata.team', value: 'Fleet' }] },
    ]);
    expect(answer.stats).toMatchObject({ total: 4, looked_at: 4, not_looked_at: 0, decided_by: { metadata: 4 } });
    expect(verdictsOf(await filtered(service.admin, dataset, { predicate: 'was written after 2022' }))).toMatchObject({
      'ferry.txt': 'false',
      'garden.txt': 'true',
      'trees.csv': 'unknown',
    });
  });

  it('decides by words with the sentence and its place, and leaves the rest unknown', async () => {
    const answer = await filtered(service.admin, dataset, { predicate: 'mentions an anchor' });
    const { evidence, verdict, decided_by } = answer.items[0]!;
    expect([verdict, decided_by]).toEqual(['true', 'lexical']);
    const [{ text, char_start, char_end }] = evidence as [Item['evidence'][number]];
    expect(text).toBe('Its anchor was painted in April.');
    expect((await service.admin.text(ferry)).slice(char_start!, char_end!)).toBe(text);
    const open = await filtered(service.admin, dataset, { predicate: 'makes its readers happy' });
    expect(open.stats).toMatchObject({ verdicts: { unknown: 4 }, unknown_because: { no_model: 4 }, model_calls: 0 });
    const exact = await filtered(service.admin, dataset, { predicate: 'does not contain the word "ferry"', limit: 2 });
    expect(exact.stats.verdicts).toEqual({ true: 3, false: 1, unknown: 0 });
    expect(exact.items).toHaveLength(2);
  });

  it('judges chunks, and rows by their columns without those that sum up others', async () => {
    const chunks = await filtered(service.admin, dataset, { predicate: 'mentions an anchor', target: 'chunks' });
    expect(chunks.items[0]).toMatchObject({ document_id: ferry, verdict: 'true' });
    expect(chunks.items[0]!.id).toBe(chunks.items[0]!.evidence[0]!.chunk_id);
    const rows = await filtered(service.admin, dataset, { predicate: 'height above 20', target: 'rows' });
    expect(rows.items.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['trees/3', 'true'],
      ['trees/2', 'false'],
    ]);
    expect(rows.stats).toMatchObject({ total: 2, not_looked_at: 0, decided_by: { columns: 2 } });
    expect(rows.readings).toMatchObject([{ table: 'trees', filters: [{ type: 'gt', key: 'height', value: 20 }] }]);
    const both = { predicate: 'item is oak and planted before 1960', target: 'rows' };
    expect((await filtered(service.admin, dataset, both)).items[0]).toMatchObject({ id: 'trees/3', verdict: 'true' });
  });

  it('needs more certainty where the threshold is higher', async () => {
    const unsure = await filtered(service.admin, dataset, { predicate: 'mentions an anchor', threshold: 0.95 });
    expect(unsure.stats.verdicts['true']).toBe(0);
    const sure = await filtered(service.admin, dataset, { predicate: 'team is Fleet', threshold: 1 });
    expect(sure.stats.verdicts['true']).toBe(1);
  });

  it('shows what search shows and nothing else, from the next request on', async () => {
    const { admin } = service;
    const own = await admin.createDataset('Shown and hidden');
    const names = ['one.txt', 'two.txt', 'three.csv'];
    const [one, two, three] = await Promise.all([
      add(admin, own, { name: names[0]!, content: FERRY }),
      add(admin, own, { name: names[1]!, content: GARDEN }),
      add(admin, own, { name: names[2]!, content: TREES }),
    ]);
    const namesOf = async (target: string) =>
      (await filtered(admin, own, { predicate: 'mentions an anchor', target })).items.map(
        ({ document_name }) => document_name,
      );
    expect((await namesOf('documents')).toSorted()).toEqual(names.toSorted());
    await admin.post('/governance/quarantine', { document_ids: [one, three], reason: 'manual' });
    expect(await namesOf('documents')).toEqual(['two.txt']);
    expect(await namesOf('chunks')).toEqual(['two.txt']);
    expect(await namesOf('rows')).toEqual([]);
    expect((await admin.send('DELETE', `/documents/${two}`)).status).toBeLessThan(300);
    const empty = await filtered(admin, own, { predicate: 'mentions an anchor' });
    expect(empty).toMatchObject({ items: [], stats: { total: 0, looked_at: 0 } });
  });

  it('is not there for others, and asks for the right to query tables for rows', async () => {
    const { admin } = service;
    const { client: stranger } = await addTenant(service.platform, 'Strangers', 'stranger@example.org');
    const body = { predicate: 'mentions an anchor' };
    expectProblem(await ask(stranger, dataset, body), 404, 'datasets.not_found');
    expectProblem(await ask(stranger, dataset, { ...body, target: 'rows' }), 404, 'datasets.not_found');
    const owner = await personOf(admin, service.owner.email);
    const member = await addMember(owner, 'viewer@example.org', 'viewer');
    expectProblem(await ask(member.client, dataset, body), 404, 'datasets.not_found');
    const key = await withApiKey(owner, ['retrieval:search']);
    expect((await ask(key, dataset, body)).status).toBe(200);
    expectProblem(await ask(key, dataset, { ...body, target: 'rows' }), 403, 'auth.permission_missing');
    const other = await withApiKey(owner, ['tables:query']);
    expectProblem(await ask(other, dataset, { ...body, target: 'rows' }), 403, 'auth.permission_missing');
  });

  it('says that a dataset has no tables', async () => {
    const { admin } = service;
    const own = await admin.createDataset('No tables');
    await add(admin, own, { name: 'pond.txt', content: POND });
    const answer = await filtered(admin, own, { predicate: 'height above 20', target: 'rows' });
    expect(answer).toMatchObject({ items: [], warnings: [{ code: 'no_tables' }] });
  });

  it.each<[string, object, string]>([
    ['no predicate', {}, '/predicate'],
    ['an empty predicate', { predicate: ' ' }, '/predicate'],
    ['a predicate of signs', { predicate: '?!' }, '/predicate'],
    ['a long predicate', { predicate: 'a'.repeat(1_001) }, '/predicate'],
    ['a predicate of another type', { predicate: 7 }, '/predicate'],
    ['an unknown target', { predicate: 'a', target: 'pages' }, '/target'],
    ['no target', { predicate: 'a', target: 7 }, '/target'],
    ['a limit of 0', { predicate: 'a', limit: 0 }, '/limit'],
    ['a limit beyond 1,000', { predicate: 'a', limit: 1_001 }, '/limit'],
    ['a broken limit', { predicate: 'a', limit: 1.5 }, '/limit'],
    ['a threshold of 2', { predicate: 'a', threshold: 2 }, '/threshold'],
    ['a negative threshold', { predicate: 'a', threshold: -0.1 }, '/threshold'],
    ['a threshold in words', { predicate: 'a', threshold: 'high' }, '/threshold'],
    ['too many calls', { predicate: 'a', max_model_calls: 201 }, '/max_model_calls'],
    ['an unknown field', { predicate: 'a', depth: 1 }, '/depth'],
  ])('refuses %s with its place', async (_what, body, pointer) => {
    const { errors } = expectProblem(await ask(service.admin, dataset, body), 422, 'http.validation_failed');
    expect(errors?.map((each) => each.pointer)).toContain(pointer);
  });

  it.each([
    'a'.repeat(1_000),
    'not '.repeat(249),
    '('.repeat(500) + 'a',
    'mentions a or '.repeat(70),
    '"'.repeat(400) + 'x',
    'metadata.__proto__ is x',
    'constructor is y and toString is z',
    '\u202e\ufeff mentions \u0000 a',
    "'; DROP TABLE documents; --",
    '💥 is 💥',
  ])('answers whatever it is asked: %j', async (predicate) => {
    for (const target of ['documents', 'chunks', 'rows']) {
      const { status } = await ask(service.admin, dataset, { predicate, target });
      expect([200, 422]).toContain(status);
    }
  });
});

const remote = useRemoteService('openai', 'sk-of-the-filter');

describe('a semantic filter with a chat model', () => {
  const OPEN = { predicate: 'makes its readers happy' };
  let dataset: string;
  beforeAll(async () => {
    dataset = await remote.admin.createDataset('Judged by a model');
    for (const [name, content] of Object.entries({
      ferry: FERRY,
      garden: GARDEN,
      pond: POND,
      moon: 'The moon is far.',
    }))
      await add(remote.admin, dataset, { name: `${name}.txt`, content });
  });
  beforeEach(() => remote.double.forgetRequests());

  const isAsked = ({ path, body }: ProviderRequest): boolean =>
    path === '/v1/chat/completions' && JSON.stringify(body).includes('You judge whether a predicate holds');
  const asked = async () => (await remote.double.requests()).filter(isAsked).length;
  const says = (verdict: string, quote: string) =>
    remote.double.always({ kind: 'text', text: JSON.stringify({ verdict, quote, reason: 'So it is.' }) });

  it('asks about what nothing else decided, and takes what the text proves', async () => {
    await says('true', 'The pond freezes in winter.');
    const answer = await filtered(remote.admin, dataset, OPEN);
    expect(verdictsOf(answer)).toEqual({
      'pond.txt': 'true',
      'ferry.txt': 'unknown',
      'garden.txt': 'unknown',
      'moon.txt': 'unknown',
    });
    expect(answer.items[0]).toMatchObject({
      decided_by: 'model',
      score: 0.9,
      rationale: 'So it is.',
      evidence: [{ kind: 'text', text: 'The pond freezes in winter.', char_start: 0 }],
    });
    expect(answer.stats).toMatchObject({ model_calls: 4, unknown_because: { undecided: 3 }, ordered_by: 'reranker' });
    expect(await asked()).toBe(4);
    const { items } = await remote.admin.get<{ items: { purpose: string; requests: number }[] }>(
      '/usage?group_by=purpose',
    );
    expect(items.find(({ purpose }) => purpose === 'semantic_filter')?.requests).toBeGreaterThanOrEqual(4);
    const decided = await filtered(remote.admin, dataset, { predicate: 'contains the word "pond"' });
    expect(decided.stats).toMatchObject({ model_calls: 0, verdicts: { true: 1, false: 3 } });
  });

  it('stays within its calls', async () => {
    await says('false', '');
    const answer = await filtered(remote.admin, dataset, { ...OPEN, max_model_calls: 2 });
    expect(answer.stats).toMatchObject({
      model_calls: 2,
      verdicts: { true: 0, false: 2, unknown: 2 },
      unknown_because: { call_limit: 2 },
    });
    expect(await asked()).toBe(2);
    await remote.double.forgetRequests();
    expect((await filtered(remote.admin, dataset, { ...OPEN, max_model_calls: 0 })).stats.verdicts['unknown']).toBe(4);
    expect(await asked()).toBe(0);
  });

  it.each([
    ['fails', { kind: 'status', status: 400, message: 'no' }],
    ['writes nothing of use', { kind: 'text', text: 'I would rather not say.' }],
  ] as const)('is unknown where the model %s', async (_what, fault) => {
    await remote.double.always(fault);
    const answer = await filtered(remote.admin, dataset, OPEN);
    expect(answer.stats.verdicts).toEqual({ true: 0, false: 0, unknown: 4 });
    expect(answer.stats.unknown_because).toMatchObject({ model_failed: 4 });
    expect(answer.items.every(({ unknown_because }) => unknown_because === 'model_failed')).toBe(true);
    expect(answer.stats.model_calls).toBeLessThanOrEqual(3);
  });

  it('is unknown where the budget of the tenant is used up', async () => {
    await says('false', '');
    const { items } = await remote.admin.get<{ items: { id: string }[] }>('/tenants');
    await remote.admin.patch(`/tenants/${items[0]!.id}`, { budgets: { monthly_tokens: 1 } });
    try {
      const answer = await filtered(remote.admin, dataset, OPEN);
      expect(answer.stats).toMatchObject({
        model_calls: 0,
        verdicts: { true: 0, false: 0, unknown: 4 },
        unknown_because: { budget: 4 },
      });
      expect(await asked()).toBe(0);
    } finally {
      await remote.admin.patch(`/tenants/${items[0]!.id}`, { budgets: null });
    }
  });
});
