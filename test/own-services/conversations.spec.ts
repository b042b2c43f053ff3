import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, DocumentRecord } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'When is the hydraulic pump serviced?';
const PUMP = 'The hydraulic pump must be serviced every 500 hours.';

interface Turn {
  readonly id: string;
  readonly request_id: string;
  readonly question: string;
  readonly state: string;
  readonly answer: {
    readonly content: string;
    readonly refusal: { readonly code: string } | null;
    readonly sources: readonly { readonly document_id: string; readonly text: string }[];
    readonly citations: readonly { readonly cited_text: string; readonly verified: boolean }[];
  } | null;
  readonly withheld: { readonly code: string } | null;
  readonly feedback: { readonly rating: string } | null;
}
interface Conversation {
  readonly id: string;
  readonly title: string | null;
  readonly turn_count: number;
  readonly turns: readonly Turn[];
}
interface Completion {
  readonly request_id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly conversation?: { readonly id: string; readonly turn_id: string | null };
  readonly refusal: { readonly code: string } | null;
  readonly retrieval: { readonly query: string };
}
interface Question {
  readonly question: string | null;
  readonly refused: number;
  readonly rated_down: number;
  readonly case: { readonly query: string; readonly expected_answer: string | null } | null;
}

const service = useService();
let anna: Person;
let ben: Person;
let dora: Person;
let dataset: string;
let document: DocumentRecord;

beforeAll(async () => {
  anna = await personOf(service.admin, service.process.admin.email);
  ben = await addMember(anna, 'ben@example.com', 'editor');
  dora = await addTenant(anna.client, 'Elsewhere', 'dora@example.com');
  dataset = await anna.client.createDataset('Shared', { acl: 'all_team_members' });
  document = await ingest(anna.client, dataset, { name: 'pump.txt', content: PUMP });
});

const begin = async (client: ApiClient, body: object = {}): Promise<string> =>
  (await client.post<{ id: string }>('/conversations', body)).id;
const read = (client: ApiClient, id: string): Promise<Conversation> => client.get(`/conversations/${id}`);
const bodyOf = (content: string, more: object = {}): object => ({
  messages: [{ role: 'user', content }],
  dataset_ids: [dataset],
  ...more,
});
const ask = (client: ApiClient, id: string, content: string, more: object = {}): Promise<Completion> =>
  client.post('/chat/completions', bodyOf(content, { conversation_id: id, ...more }));

describe('a conversation', () => {
  it('keeps questions and answers, which can be read as soon as they have ended', async () => {
    const id = await begin(ben.client);
    const answer = await ask(ben.client, id, QUESTION);
    expect(answer.conversation).toEqual({ id, turn_id: expect.any(String) });
    const { title, turn_count: count, turns } = await read(ben.client, id);
    expect([title, count]).toEqual([QUESTION, 1]);
    expect(turns).toMatchObject([
      {
        id: answer.conversation!.turn_id,
        request_id: answer.request_id,
        question: QUESTION,
        state: 'complete',
        withheld: null,
        answer: { content: answer.choices[0]!.message.content, citations: [{ cited_text: PUMP, verified: true }] },
      },
    ]);
  });

  it('keeps streams as well, before their end is told', async () => {
    const id = await begin(ben.client);
    let text = '';
    for await (const { data } of ben.client.chatEvents(QUESTION, [dataset], { conversation_id: id })) {
      if (data === '[DONE]') break;
      text += (JSON.parse(data) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '';
    }
    expect((await read(ben.client, id)).turns).toMatchObject([{ state: 'complete', answer: { content: text } }]);
  });

  it('makes a follow-up question understood', async () => {
    const id = await begin(ben.client);
    await ask(ben.client, id, QUESTION);
    const { retrieval } = await ask(ben.client, id, 'And how often?');
    expect(retrieval.query).toMatch(/pump/i);
    expect((await read(ben.client, id)).turns.map(({ question }) => question)).toEqual([QUESTION, 'And how often?']);
  });

  it('takes no other history, and none that is not there', async () => {
    const id = await begin(ben.client);
    const messages = [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: 'Never.' },
      { role: 'user', content: 'Why?' },
    ];
    const body = { messages, dataset_ids: [dataset], conversation_id: id };
    const problem = expectProblem(
      await ben.client.send('POST', '/chat/completions', body),
      422,
      'http.validation_failed',
    );
    expect(problem.errors).toMatchObject([{ pointer: '/messages/0/role', code: 'conversation_history' }]);
    for (const other of ['01900000-0000-7000-8000-000000000045', await begin(anna.client)])
      expectProblem(
        await ben.client.send('POST', '/chat/completions', bodyOf(QUESTION, { conversation_id: other })),
        404,
        'conversations.not_found',
      );
    expect((await read(ben.client, id)).turn_count).toBe(0);
  });

  it("is its owner's alone: of the account, or of the API key", async () => {
    const id = await begin(ben.client, { title: 'Private' });
    const key = await withApiKey(ben, ['chat:complete', 'retrieval:search']);
    for (const other of [anna.client, dora.client, key]) {
      for (const [method, body] of [['GET'], ['PATCH', { title: 'Mine' }], ['DELETE']] as const)
        expectProblem(await other.send(method, `/conversations/${id}`, body), 404, 'conversations.not_found');
      const { items } = await other.get<{ items: { id: string }[] }>('/conversations?limit=100');
      expect(items.map((each) => each.id)).not.toContain(id);
    }
    const own = await begin(key);
    expect((await ask(key, own, QUESTION)).conversation!.id).toBe(own);
    expectProblem(await ben.client.send('GET', `/conversations/${own}`), 404, 'conversations.not_found');
  });

  it('is listed, renamed and deleted', async () => {
    const carla = await addMember(anna, 'carla@example.com', 'viewer');
    const [first, second] = [await begin(carla.client, { title: ' First ' }), await begin(carla.client)];
    await ask(carla.client, first, QUESTION);
    const list = (query = ''): Promise<{ items: Conversation[]; total: number; next: string | null }> =>
      carla.client.get(`/conversations${query}`);
    expect(await list()).toMatchObject({
      items: [{ id: first, title: 'First', turn_count: 1 }, { id: second }],
      total: 2,
    });
    const { next } = await list('?limit=1');
    expect((await list(`?limit=1&after=${next}`)).items).toMatchObject([{ id: second, title: null }]);
    expect(await carla.client.send('PATCH', `/conversations/${second}`, { title: 'Second' })).toMatchObject({
      status: 200,
      body: { title: 'Second' },
    });
    expect((await carla.client.send('DELETE', `/conversations/${first}`)).status).toBe(204);
    expect((await list()).items).toMatchObject([{ id: second, title: 'Second' }]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const once = ben.client.with({ 'Idempotency-Key': 'begin-once' });
    expect(await begin(once, { title: 'Once' })).toBe(await begin(once, { title: 'Once' }));
  });

  it('shows no answer whose document is deleted, and no dataset that is gone', async () => {
    const own = await anna.client.createDataset('Short-lived', { acl: 'all_team_members' });
    const file = await ingest(anna.client, own, { name: 'valve.txt', content: 'The valve opens at 12 bar.' });
    await ingest(anna.client, own, { name: 'hose.txt', content: 'The hose bursts at 90 bar.' });
    const id = await begin(ben.client);
    await ask(ben.client, id, 'When does the valve open?', { dataset_ids: [own], retrieval: { top_k: 1 } });
    await ask(ben.client, id, 'When does the hose burst?', { dataset_ids: [own], retrieval: { top_k: 1 } });
    const codes = async (): Promise<unknown[]> =>
      (await read(ben.client, id)).turns.map(({ answer, withheld }) => withheld?.code ?? typeof answer?.content);
    expect(await codes()).toEqual(['string', 'string']);
    await anna.client.delete(`/documents/${file.id}`);
    expect(await codes()).toEqual(['SOURCE_OUT_OF_SIGHT', 'string']);
    expect(JSON.stringify(await read(ben.client, id))).not.toContain('12 bar');
    await anna.client.send('PATCH', `/datasets/${own}`, { acl: 'only_me' });
    expect(await codes()).toEqual(['DATASET_OUT_OF_SIGHT', 'DATASET_OUT_OF_SIGHT']);
    await anna.client.delete(`/datasets/${own}`);
    const isGone = async (): Promise<boolean> => (await ben.client.send('GET', `/conversations/${id}`)).status === 404;
    await until(isGone, { what: 'the conversation of the deleted dataset', withinMs: 30_000, everyMs: 100 });
  });
});

describe('what people say of answers', () => {
  it('is seen with the turn, and makes a case of an evaluation for who looks after the dataset', async () => {
    const own = await anna.client.createDataset('Rated', { acl: 'all_team_members' });
    await ingest(anna.client, own, { name: 'pump.txt', content: PUMP });
    const id = await begin(ben.client);
    const more = { dataset_ids: [own] };
    const { request_id: request } = await ask(ben.client, id, QUESTION, more);
    const say = (body: object): Promise<unknown> => ben.client.post(`/requests/${request}/feedback`, body);
    await say({ rating: 'up' });
    const feedback = { rating: 'down', reason: 'No unit.', expected: 'Every 500 hours.' };
    expect(await say(feedback)).toMatchObject({ request_id: request, ...feedback });
    expect((await read(ben.client, id)).turns).toMatchObject([{ feedback }]);
    expect((await ask(ben.client, id, 'Who won the cup of 1998 in Ulaanbaatar?', more)).refusal).not.toBeNull();

    const questions = (client: ApiClient): Promise<{ items: Question[]; total: number }> =>
      client.get(`/datasets/${own}/questions?order_by=last_asked_at`);
    const { items, total } = await questions(anna.client);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { question: QUESTION, refused: 0, rated_down: 1, case: { expected_answer: 'Every 500 hours.' } },
      { refused: 1, rated_down: 0 },
    ]);
    const carlo = await addMember(anna, 'carlo@example.com', 'editor');
    expect((await questions(carlo.client)).items).toMatchObject([{ question: null, case: null }, { question: null }]);

    const cases = [{ query: 'What is serviced?', expected_answer: 'The pump.' }];
    const set = await anna.client.post<{ id: string }>('/evaluations/case-sets', {
      name: 'Pumps',
      dataset_ids: [own],
      cases,
    });
    const add = (body: object): Promise<{ status: number; body: unknown }> =>
      anna.client.send('PATCH', `/evaluations/case-sets/${set.id}`, body);
    expect(await add({ add: [items[0]!.case] })).toMatchObject({ status: 200, body: { version: 2, case_count: 2 } });
    expect(await anna.client.get(`/evaluations/case-sets/${set.id}`)).toMatchObject({
      cases: [cases[0], { query: QUESTION, expected_answer: 'Every 500 hours.', tags: ['rated_down'], approved: true }],
    });
    expect(await add({ add: [items[0]!.case] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/add/0/query', code: 'unique' }] },
    });
    expect(await add({ add: [items[0]!.case], cases })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/add', code: 'exclusive' }] },
    });
  });

  it('needs the right to write to the dataset, and a scope of its own for the words of others', async () => {
    await ask(ben.client, await begin(ben.client), 'Who won the cup of 2002 in Ulaanbaatar?');
    const path = `/datasets/${dataset}/questions`;
    const viewer = await addMember(anna, 'vera@example.com', 'viewer');
    expectProblem(await viewer.client.send('GET', path), 403, 'auth.permission_missing');
    expectProblem(await dora.client.send('GET', path), 404, 'datasets.not_found');
    const shown = async (scopes: readonly string[]): Promise<boolean> => {
      const { items } = await (await withApiKey(anna, scopes)).get<{ items: Question[] }>(path);
      expect(items.length).toBeGreaterThan(0);
      return items.some(({ question }) => question !== null);
    };
    expect(await shown(['datasets:write'])).toBe(false);
    expect(await shown(['datasets:write', 'conversations:review'])).toBe(true);
    const { items } = await anna.client.get<{ items: { subject_id: string }[] }>(
      `/governance/audit-log?action=conversation.questions_reviewed`,
    );
    expect(JSON.stringify(items)).toContain(dataset);
  });

  it('is said of own requests only', async () => {
    const { request_id: request } = await ben.client.search(QUESTION, [dataset]);
    expect((await ben.client.send('POST', `/requests/${request}/feedback`, { rating: 'up' })).status).toBe(200);
    for (const other of [anna.client, dora.client, await withApiKey(ben, ['retrieval:search'])])
      expectProblem(
        await other.send('POST', `/requests/${request}/feedback`, { rating: 'down' }),
        404,
        'retrieval.request_not_found',
      );
  });
});

it('a conversation is still there after a restart', async () => {
  const id = await begin(ben.client);
  await ask(ben.client, id, QUESTION);
  await service.process.restart();
  const again = await service.anonymous.login(ben.email, 'a long enough password');
  expect((await read(again, id)).turns).toMatchObject([{ answer: { sources: [{ document_id: document.id }] } }]);
});
