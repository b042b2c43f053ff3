import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Answer, DocumentRecord, SearchAnswer } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const QUESTION = 'When is the hydraulic pump serviced?';
const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const NEVER = '01900000-0000-7000-8000-000000000000';

interface Explanation {
  readonly request_id: string;
  readonly verdict: string;
  readonly code: string;
  readonly evidence: {
    readonly document: { readonly status: string } | null;
    readonly chunk: { readonly chunk_id: string } | null;
    readonly terms: readonly { readonly term: string; readonly matched: boolean; readonly contribution: number }[];
    readonly unmet_conditions: readonly unknown[];
  };
  readonly stages: readonly { readonly stage: string; readonly outcome: string; readonly rank: number | null }[];
  readonly suggestions: readonly {
    readonly change: Readonly<Record<string, unknown>>;
    readonly rank: number;
    readonly score: number;
  }[];
}

const service = useTenant();
/** Anna owns the tenant, Ben is an editor of it, Dora owns another. */
let anna: Person;
let ben: Person;
let dora: Person;
let shared: string;
let secret: string;
let document: DocumentRecord;
let hidden: DocumentRecord;

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  dora = await addTenant(service.platform, 'Elsewhere', 'dora@example.com');
  shared = await anna.client.createDataset('Shared', { acl: 'all_team_members' });
  secret = await anna.client.createDataset('Secret');
  document = await ingest(anna.client, shared, { name: 'pump.txt', content: PUMP });
  for (let n = 0; n < 5; n += 1) {
    await ingest(anna.client, shared, {
      name: `other-${n}.txt`,
      content: `Pump ${n} is serviced when it is ${n} years old.`,
    });
  }
  hidden = await ingest(anna.client, secret, {
    name: 'hidden.txt',
    content: 'The hidden pump has the colour magenta.',
  });
});

const send = (client: ApiClient, body: object): Promise<Answer<Explanation>> =>
  client.send<Explanation>('POST', '/retrieval/explain', { query: QUESTION, dataset_ids: [shared], ...body });
const explain = async (client: ApiClient, body: object): Promise<Explanation> => {
  const answer = await send(client, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

describe('an explanation', () => {
  it('says that what is returned is returned, and which words found it', async () => {
    const answer = await explain(anna.client, { expected: { text: 'EVERY 500   hours' } });
    expect(answer).toMatchObject({ verdict: 'retrieved', code: 'RETRIEVED', suggestions: [] });
    expect(answer.evidence.terms).toContainEqual(
      expect.objectContaining({ matched: true, term: expect.stringMatching(/^pump/) }),
    );
    expect(answer.stages.map(({ stage }) => stage)).toEqual([
      'indexed',
      'scope',
      'filters',
      'keyword',
      'vector',
      'kg',
      'fusion',
      'rerank',
      'threshold',
      'mmr',
      'top_k',
    ]);
  });

  it('suggests changes that return what is expected when they are followed', async () => {
    const search = { query: QUESTION, dataset_ids: [shared], top_k: 5 };
    const ranking = (await anna.client.post<SearchAnswer>('/retrieval/search', search)).results;
    const expected = { chunk_id: ranking[3]!.chunk_id };
    for (const more of [
      { top_k: 1 },
      { top_k: 2, search_method: 'keyword' },
      { score_threshold: 1 },
      {
        filters: {
          type: 'and',
          filters: [
            { type: 'eq', key: 'tags', value: 'x' },
            { type: 'exists', key: 'media_type' },
          ],
        },
      },
      { top_k: 1, rerank: { top_n: 2 } },
    ]) {
      const answer = await explain(anna.client, { ...more, expected });
      expect(answer.verdict, JSON.stringify(more)).not.toBe('retrieved');
      expect(answer.suggestions.length, JSON.stringify([more, answer])).toBeGreaterThan(0);
      for (const { change, rank, score } of answer.suggestions) {
        const followed = await anna.client.send<SearchAnswer>(
          'POST',
          '/retrieval/search',
          patched({ query: QUESTION, dataset_ids: [shared], ...more }, change),
        );
        expect(followed.body.results[rank - 1], JSON.stringify(change)).toMatchObject({
          chunk_id: expected.chunk_id,
          score,
        });
      }
    }
  });

  it('names the state of a document that cannot be found', async () => {
    const empty = await anna.client.upload(shared, { name: 'blank.txt', content: ' \n \n' });
    await anna.client.pollUntilTerminal(empty.id);
    expect((await explain(anna.client, { expected: { document_id: empty.id } })).code).toBe('ZERO_CHUNKS');
    const failed = await anna.client.upload(shared, { name: 'empty.txt', content: '' });
    await anna.client.pollUntilTerminal(failed.id);
    const unfinished = await explain(anna.client, { expected: { document_id: failed.id } });
    expect(unfinished).toMatchObject({
      verdict: 'not_indexed',
      code: 'NOT_COMPLETED',
      evidence: { document: { status: 'failed' } },
    });
    const held = await ingest(anna.client, shared, { name: 'held.txt', content: 'A held pump.' });
    await anna.client.post('/governance/quarantine', { document_ids: [held.id], reason: 'test' });
    expect((await explain(anna.client, { expected: { document_id: held.id } })).code).toBe('QUARANTINED');
    expect((await explain(anna.client, { expected: { document_id: document.id, text: 'a unicorn' } })).code).toBe(
      'LOST_AT_PARSE',
    );
  });

  it('says that a document lies in another dataset', async () => {
    const answer = await explain(anna.client, { expected: { document_id: hidden.id }, query: 'hidden pump' });
    expect(answer).toMatchObject({ verdict: 'filters_too_strict', code: 'OUT_OF_SCOPE' });
    expect(answer.suggestions[0]!.change).toEqual({ dataset_ids: [shared, secret] });
  });
});

describe('what the caller may not see', () => {
  it('is answered exactly as what does not exist', async () => {
    const chunks = await anna.client.get<{ items: { chunk_id: string }[] }>(`/documents/${hidden.id}/chunks`);
    const invisible = [
      { document_id: hidden.id },
      { chunk_id: chunks.items[0]!.chunk_id },
      { document_id: hidden.id, text: 'hidden pump' },
    ];
    const absent = [{ document_id: NEVER }, { chunk_id: NEVER }, { document_id: NEVER, text: 'hidden pump' }];
    const key = await withApiKey(ben, ['retrieval:search']);
    for (const client of [ben.client, key]) {
      const bodies = [];
      for (const expected of [...invisible, ...absent]) {
        const { request_id: _id, ...body } = await explain(client, { expected });
        bodies.push(JSON.stringify(body));
      }
      expect(new Set(bodies).size, bodies.join('\n')).toBe(1);
      expect(JSON.parse(bodies[0]!)).toMatchObject({
        verdict: 'not_indexed',
        code: 'DOCUMENT_UNKNOWN',
        stages: [],
        suggestions: [],
      });
    }
  });

  it('is a dataset that is not found', async () => {
    const body = { dataset_ids: [secret], expected: { document_id: hidden.id } };
    expectProblem(await send(ben.client, body), 404, 'datasets.not_found');
    expectProblem(await send(dora.client, { expected: { document_id: document.id } }), 404, 'datasets.not_found');
  });
});

describe('an explanation for another account', () => {
  const asBen = (more: object = {}): object => ({ as_account_id: ben.accountId, ...more });

  it('says that the account does not see the dataset', async () => {
    const body = { dataset_ids: [shared, secret], expected: { document_id: hidden.id }, query: 'hidden pump' };
    expect(await explain(anna.client, asBen(body))).toMatchObject({
      verdict: 'filters_too_strict',
      code: 'ACL',
      suggestions: [],
    });
    expect((await explain(anna.client, body)).code).toBe('RETRIEVED');
    expect((await explain(anna.client, asBen({ expected: { document_id: document.id } }))).code).toBe('RETRIEVED');
  });

  it('needs tenant:observability', async () => {
    const body = { as_account_id: anna.accountId, expected: { document_id: document.id } };
    expectProblem(await send(ben.client, body), 403, 'auth.permission_missing');
    const key = await withApiKey(anna, ['retrieval:search']);
    expectProblem(await send(key, body), 403, 'auth.permission_missing');
  });

  it('needs a member of the tenant', async () => {
    for (const id of [dora.accountId, NEVER]) {
      expectInvalid(await send(anna.client, { as_account_id: id, expected: { document_id: document.id } }), [
        '/as_account_id',
      ]);
    }
  });
});

describe('a bad request for an explanation', () => {
  const text = { text: 'pump' };
  it.each<[string, object, string]>([
    ['nothing expected', {}, '/expected'],
    ['an empty expectation', { expected: {} }, '/expected'],
    ['an expectation that is null', { expected: null }, '/expected'],
    ['an expectation that is a text', { expected: 'pump' }, '/expected'],
    ['a field that is not known', { expected: { ...text, page: 1 } }, '/expected/page'],
    ['an id that is none', { expected: { document_id: 'x' } }, '/expected/document_id'],
    ['a chunk that is no id', { expected: { chunk_id: '1' } }, '/expected/chunk_id'],
    ['a document that is null', { expected: { ...text, document_id: null } }, '/expected/document_id'],
    ['a text of white space', { expected: { text: ' \n' } }, '/expected/text'],
    ['a text that is too long', { expected: { text: 'x'.repeat(4097) } }, '/expected/text'],
    ['a text with NUL', { expected: { text: 'a\u0000b' } }, '/expected/text'],
    ['an account that is no id', { expected: text, as_account_id: 'ben' }, '/as_account_id'],
    ['a search option that is wrong', { expected: text, top_k: 0 }, '/top_k'],
    ['fewer candidates than results', { expected: text, candidate_k: 2, top_k: 5 }, '/candidate_k'],
    ['a filter that is wrong', { expected: text, filters: { type: 'eq', key: 'shoe' } }, '/filters/key'],
    ['a field that is not of a search', { expected: text, limit: 3 }, '/limit'],
  ])('with %s names the place', async (_what, body, pointer) => {
    const answer = await send(anna.client, body);
    const problem = expectProblem(answer, 422, /^(http\.validation_failed|retrieval\.option_not_available)$/);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it('with wrong options is the same for what exists and what does not', async () => {
    for (const expected of [{ document_id: document.id }, { document_id: NEVER }]) {
      expectInvalid(await send(anna.client, { expected, candidate_k: 2, top_k: 5 }), ['/candidate_k']);
    }
  });

  it('with fields that contradict each other names the one that does not fit', async () => {
    const chunks = await anna.client.get<{ items: { chunk_id: string }[] }>(`/documents/${document.id}/chunks`);
    const chunk_id = chunks.items[0]!.chunk_id;
    expectInvalid(await send(anna.client, { expected: { chunk_id, document_id: hidden.id } }), [
      '/expected/document_id',
    ]);
    expectInvalid(await send(anna.client, { expected: { chunk_id, text: 'a unicorn' } }), ['/expected/text']);
  });
});

/** RFC 7396. */
function patched(
  target: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? patched(isObject(merged[key]) ? merged[key] : {}, value) : value;
  }
  return merged;
}
