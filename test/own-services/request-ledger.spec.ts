import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, DocumentRecord } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey, type Person } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'When is the hydraulic pump serviced?';
const PUMP = 'The hydraulic pump must be serviced every 500 hours.';

interface Recorded {
  readonly id: string;
  readonly kind: string;
  readonly request: { readonly query: string };
  readonly config_fingerprint: string;
  readonly results: readonly { readonly chunk_id: string; readonly document_id: string; readonly score: number }[];
  readonly hidden_results: number;
  readonly explanation: { readonly code: string } | null;
}

interface Replayed {
  readonly identical: boolean;
  readonly causes: readonly { readonly code: string }[];
  readonly added: readonly { readonly document_id: string }[];
  readonly removed: readonly { readonly document_id: string }[];
  readonly hidden_results: number;
  readonly config_fingerprint_before: string;
  readonly config_fingerprint_after: string;
}

const service = useService();
let anna: Person;
let ben: Person;
let dora: Person;
let dataset: string;
let document: DocumentRecord;
let named = 0;

beforeAll(async () => {
  anna = await personOf(service.admin, service.process.admin.email);
  ben = await addMember(anna, 'ben@example.com', 'viewer');
  dora = await addTenant(anna.client, 'Elsewhere', 'dora@example.com');
  dataset = await anna.client.createDataset('Shared', { acl: 'all_team_members' });
  document = await ingest(anna.client, dataset, { name: 'pump.txt', content: PUMP });
  await ingest(anna.client, dataset, { name: 'valve.txt', content: 'The valve of the pump opens at 12 bar.' });
});

/** A client whose requests have this id, and the id. */
function naming(client: ApiClient): [ApiClient, string] {
  const id = `ledger.spec-${(named += 1)}_x`;
  return [client.with({ 'X-Request-ID': id }), id];
}
const read = (client: ApiClient, id: string): Promise<Recorded> => client.get<Recorded>(`/requests/${id}`);
const replay = (client: ApiClient, id: string): Promise<Replayed> =>
  client.post<Replayed>(`/requests/${id}/replay`, undefined);

describe('a request that was answered', () => {
  it('can be read at once, with ids and scores and without text', async () => {
    const [client, id] = naming(anna.client);
    const { results, retrieval } = await client.search(QUESTION, [dataset], { top_k: 2 });
    const recorded = await read(anna.client, id);
    expect(recorded).toMatchObject({
      kind: 'search',
      request: { query: QUESTION },
      hidden_results: 0,
      explanation: null,
    });
    expect(recorded.config_fingerprint).toBe((retrieval as { config_fingerprint: string }).config_fingerprint);
    expect(recorded.results.map(({ chunk_id, score }) => [chunk_id, score])).toEqual(
      results.map(({ chunk_id, score }) => [chunk_id, score]),
    );
    expect(JSON.stringify(recorded)).not.toContain('500 hours');
  });

  it('is kept of searches, chats, streams and explanations, each under its kind', async () => {
    const [asking, chat] = naming(anna.client);
    await asking.chat(QUESTION, [dataset]);
    expect((await read(anna.client, chat)).kind).toBe('chat');
    const [streaming, stream] = naming(anna.client);
    for await (const event of streaming.chatEvents(QUESTION, [dataset])) expect(event.event).toBe('message');
    expect((await read(anna.client, stream)).kind).toBe('chat');
    const [explaining, explained] = naming(anna.client);
    const body = { query: QUESTION, dataset_ids: [dataset], expected: { document_id: document.id, text: '500 hours' } };
    await explaining.post('/retrieval/explain', body);
    const recorded = await read(anna.client, explained);
    expect(recorded).toMatchObject({ kind: 'explain', explanation: { code: 'RETRIEVED' } });
    expect(JSON.stringify(recorded)).not.toContain('500 hours');
  });

  it('is not kept when it failed', async () => {
    const [client, id] = naming(anna.client);
    expect((await client.send('POST', '/retrieval/search', { query: '', dataset_ids: [dataset] })).status).toBe(422);
    expectProblem(await anna.client.send('GET', `/requests/${id}`), 404, 'retrieval.request_not_found');
  });

  it('is found by its own principal only', async () => {
    const key = await withApiKey(anna, ['retrieval:search']);
    const other = await withApiKey(anna, ['retrieval:search']);
    const [client, id] = naming(key);
    await client.search(QUESTION, [dataset]);
    expect((await read(key, id)).request.query).toBe(QUESTION);
    for (const stranger of [anna.client, other, ben.client, dora.client]) {
      for (const [method, path] of [
        ['GET', `/requests/${id}`],
        ['POST', `/requests/${id}/replay`],
      ] as const) {
        const problem = expectProblem(await stranger.send(method, path), 404, 'retrieval.request_not_found');
        const absent = expectProblem(await stranger.send(method, path.replace(id, 'never-given')), 404, problem.code);
        expect(problem.detail.replace(id, 'never-given')).toBe(absent.detail);
      }
    }
    const [own] = naming(ben.client);
    await own.with({ 'X-Request-ID': id }).search('valve', [dataset]);
    expect((await read(ben.client, id)).request.query).toBe('valve');
    expect((await read(key, id)).request.query).toBe(QUESTION);
  });

  it('needs retrieval:search to be read', async () => {
    const [client, id] = naming(anna.client);
    await client.search(QUESTION, [dataset]);
    const key = await withApiKey(anna, ['datasets:read']);
    expectProblem(await key.send('GET', `/requests/${id}`), 403, 'auth.permission_missing');
    expectProblem(await service.anonymous.send('GET', `/requests/${id}`), 401, 'auth.credential_missing');
  });

  it.each(['%00', 'a%20b', '..%2Fx', 'x'.repeat(200), '%F0%9F%98%80', "'%20OR%201=1"])(
    'is not found under "%s"',
    async (id) => {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/replay'],
      ] as const) {
        const answer = await anna.client.send('GET' === method ? 'GET' : 'POST', `/requests/${id}${path}`);
        expect(answer.status, JSON.stringify(answer.body)).toBe(404);
      }
    },
  );
});

describe('a replay', () => {
  it('is identical while nothing changes, and says what changed when documents do', async () => {
    const own = await anna.client.createDataset('To be changed');
    const first = await ingest(anna.client, own, { name: 'a.txt', content: PUMP });
    const [client, id] = naming(anna.client);
    await client.search(QUESTION, [own]);
    const same = await replay(anna.client, id);
    expect(same).toMatchObject({ identical: true, causes: [], added: [], removed: [] });
    expect(same.config_fingerprint_after).toBe(same.config_fingerprint_before);

    const second = await ingest(anna.client, own, { name: 'b.txt', content: 'Hydraulic pump, serviced yearly.' });
    const changed = await replay(anna.client, id);
    expect(changed.identical).toBe(false);
    expect(changed.causes.map(({ code }) => code)).toEqual(['CONTENT_CHANGED']);
    expect(changed.added.map(({ document_id }) => document_id)).toEqual([second.id]);

    await anna.client.delete(`/documents/${first.id}`);
    const without = await replay(anna.client, id);
    expect(without.hidden_results).toBe(1);
    expect(without.causes.map(({ code }) => code)).toContain('VISIBILITY_CHANGED');
    expect(JSON.stringify(without)).not.toContain(first.id);
    expect(await read(anna.client, id)).toMatchObject({ results: [], hidden_results: 1 });
  });

  it('writes no request of its own', async () => {
    const [client, id] = naming(anna.client);
    await client.search(QUESTION, [dataset]);
    const [replaying, other] = naming(anna.client);
    await replay(replaying, id);
    expectProblem(await anna.client.send('GET', `/requests/${other}`), 404, 'retrieval.request_not_found');
  });
});

describe('the ledger', () => {
  it('keeps what was answered just before the service stopped', async () => {
    const [client, id] = naming(anna.client);
    await client.search(QUESTION, [dataset]);
    await service.process.restart();
    const again = await service.anonymous.login(service.process.admin.email, service.process.admin.password);
    expect((await read(again, id)).request.query).toBe(QUESTION);
  });
});
