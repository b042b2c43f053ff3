import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { buildGraph } from '../support/knowledge-graphs.js';
import { addMember, personOf } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const QUESTION = 'Which fruit does the keeper appointed by Brindle Works grow in the garden?';
const KEEPER = 'Brindle Works appointed a keeper in spring. The keeper is Ottilie Brandt.';
const MEDLARS = 'Ottilie Brandt tends medlars beside a barge.';
/** They share words with the question and no name. */
const FILLERS = Array.from({ length: 16 }, (_, n) => {
  return `In garden ${'abcdefghijklmnop'[n]} a keeper may grow fruit; which fruit the keeper grows there is noted.`;
});

interface Answer {
  readonly results: readonly {
    readonly chunk_id: string;
    readonly document_id: string;
    readonly score: number;
    readonly scores: Readonly<Record<string, number | null>>;
    readonly ranks: Readonly<Record<string, number | null>>;
  }[];
  readonly retrieval: {
    readonly config_fingerprint: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly timings_ms: Readonly<Record<string, number>>;
    readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  };
}
interface Explained {
  readonly code: string;
  readonly evidence: {
    readonly kg: {
      readonly entities: readonly { readonly label: string; readonly form: string }[];
      readonly paths: readonly { readonly via: string | null; readonly from_document_id: string | null }[];
    } | null;
  };
  readonly stages: readonly { readonly stage: string; readonly outcome: string; readonly rank: number | null }[];
}

const service = useTenant();
let client: ApiClient;
let dataset: string;
let keeper: string;
let medlars: string;

beforeAll(async () => {
  client = service.admin;
  dataset = await client.createDataset('Gardens');
  keeper = (await ingest(client, dataset, { name: 'keeper.txt', content: KEEPER })).id;
  medlars = (
    await ingest(
      client,
      dataset,
      { name: 'barge.txt', content: MEDLARS },
      { metadata: JSON.stringify({ place: 'quay' }) },
    )
  ).id;
  for (const [n, content] of FILLERS.entries()) await ingest(client, dataset, { name: `note-${n}.txt`, content });
  await buildGraph(client, dataset);
});

const ask = (more: object = {}, query = QUESTION): Promise<Answer> =>
  client.post<Answer>('/retrieval/search', { query, dataset_ids: [dataset], use_kg: true, ...more });
const documentsOf = ({ results }: Answer): string[] => results.map(({ document_id: id }) => id);
const codesOf = ({ retrieval }: Answer): string[] => retrieval.warnings.map(({ code }) => code);

describe('use_kg', () => {
  it('brings the second document, which words do not', async () => {
    expect(documentsOf(await ask({ use_kg: false }))).not.toContain(medlars);
    const answer = await ask();
    const found = answer.results.find(({ document_id: id }) => id === medlars)!;
    expect(found).toMatchObject({ scores: { kg: expect.any(Number) }, ranks: { kg: expect.any(Number) } });
    expect(answer.retrieval.counts).toMatchObject({ kg: 2 });
    expect(answer.retrieval.timings_ms).toMatchObject({ kg: expect.any(Number) });
    expect(codesOf(answer)).toEqual([]);
  });

  it.each<[string, object, number?]>([
    ['by words', { search_method: 'keyword' }],
    ['by vector', { search_method: 'vector' }],
    ['by sums', { fusion: { method: 'weighted', vector_weight: 0.5 } }],
    ['with diversity', { mmr: { lambda: 0.9 } }],
    // A reranker follows the text alone: it gets the document, and puts it where it likes.
    ['with a reranker', { rerank: { enabled: true } }, 18],
    ['with what is around', { expand: 'neighbours' }],
  ])('works %s, the same each time, with a prefix for fewer results', async (_what, options, most = 12) => {
    const all = await ask({ ...options, top_k: most });
    expect(documentsOf(all)).toContain(medlars);
    expect((await ask({ ...options, top_k: most })).results).toEqual(all.results);
    for (const top_k of [1, 3, 5, 8]) {
      expect((await ask({ ...options, top_k })).results).toEqual(all.results.slice(0, top_k));
    }
    const scores = all.results.map(({ score }) => score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it('says in an explanation by which way', async () => {
    const expected = { document_id: medlars };
    const body = { query: QUESTION, dataset_ids: [dataset], expected };
    const explained = await client.post<Explained>('/retrieval/explain', { ...body, use_kg: true });
    expect(explained).toMatchObject({
      code: 'RETRIEVED',
      evidence: {
        kg: {
          entities: [{ form: 'Brindle Works', label: 'Brindle Works' }],
          paths: [{ via: 'Ottilie Brandt', from_document_id: keeper }],
        },
      },
    });
    expect(explained.stages.find(({ stage }) => stage === 'kg')).toMatchObject({
      outcome: 'passed',
      rank: expect.any(Number),
    });
    const without = await client.post<Explained>('/retrieval/explain', body);
    expect(without.evidence.kg).toBeNull();
    expect(without.stages.find(({ stage }) => stage === 'kg')).toMatchObject({ outcome: 'not_used' });
  });

  it('is in the ledger and the fingerprint, and replays', async () => {
    const [plain, graph] = [await ask({ use_kg: false }), await ask()];
    expect(plain.retrieval.config_fingerprint).not.toBe(graph.retrieval.config_fingerprint);
    const { request_id: id } = graph as unknown as { readonly request_id: string };
    const replayed = await client.post<{ identical: boolean }>(`/requests/${id}/replay`, {});
    expect(replayed).toMatchObject({ identical: true, changed_config: [] });
  });

  it('holds filters, for what it finds and for what it goes through', async () => {
    const only = (document: string): object => ({ filters: { type: 'ne', key: 'document_id', value: document } });
    expect(documentsOf(await ask(only(medlars)))).not.toContain(medlars);
    expect(documentsOf(await ask(only(keeper)))).not.toContain(medlars);
    const quay = await ask({ filters: { type: 'eq', key: 'metadata.place', value: 'quay' } });
    expect(documentsOf(quay).filter((id) => id !== medlars)).toEqual([]);
  });

  it('says where there is nothing to follow, and answers as without', async () => {
    const unnamed = await ask({}, 'which fruit does a keeper grow in the garden');
    expect(codesOf(unnamed)).toEqual(['KG_NO_ENTITY']);
    const { results } = await ask({ use_kg: false }, 'which fruit does a keeper grow in the garden');
    expect(unnamed.results).toEqual(results);
    const bare = await client.createDataset('No graph');
    await ingest(client, bare, { name: 'keeper.txt', content: KEEPER });
    const answer = await ask({ dataset_ids: [bare] });
    expect(codesOf(answer)).toEqual(['KG_EMPTY']);
    expect(answer.results).toHaveLength(1);
    expect(codesOf(await ask({ dataset_ids: [dataset, bare] }))).toEqual(['KG_EMPTY']);
  });

  it('is a default of a policy, an option of a chat, and nothing but true or false', async () => {
    const path = `/datasets/${dataset}/ingestion-policy`;
    const { policy } = await client.get<{ policy: object }>(path);
    await client.send('PUT', path, { ...policy, retrieval_defaults: { use_kg: true } });
    expect(documentsOf(await ask({ use_kg: undefined }))).toContain(medlars);
    expect(documentsOf(await ask({ use_kg: false }))).not.toContain(medlars);
    await client.send('PUT', path, policy);
    const messages = [{ role: 'user', content: QUESTION }];
    const chat = await client.post<{ sources: readonly { document_id: string }[] }>('/chat/completions', {
      messages,
      dataset_ids: [dataset],
      retrieval: { use_kg: true },
    });
    expect(chat).toMatchObject({ retrieval: { counts: { kg: 2 } } });
    for (const use_kg of ['yes', 1, null, {}, []]) {
      const answer = await client.send('POST', '/retrieval/search', {
        query: QUESTION,
        dataset_ids: [dataset],
        use_kg,
      });
      expectProblem(answer, 422, 'http.validation_failed');
    }
    for (const query of [
      '"',
      'A'.repeat(4_096),
      '％_\\ %',
      "O'Neill; DROP TABLE",
      '\u202eBrindle Works',
      '🦆 Brindle Works',
    ])
      expect(
        (await client.send('POST', '/retrieval/search', { query, dataset_ids: [dataset], use_kg: true })).status,
      ).toBe(200);
  });

  it('sees no dataset that its caller does not, and nothing of another one', async () => {
    const owner = await personOf(client, service.owner.email);
    const ben = await addMember(owner, 'ben@example.com', 'viewer');
    const body = { query: QUESTION, dataset_ids: [dataset], use_kg: true };
    expect((await ben.client.send('POST', '/retrieval/search', body)).status).toBe(404);
    const before = await ask();
    const other = await client.createDataset('Others');
    for (let n = 0; n < 25; n += 1)
      await ingest(client, other, { name: `o-${n}.txt`, content: `Ottilie Brandt and Brindle Works met ${n} times.` });
    await buildGraph(client, other);
    expect((await ask()).results).toEqual(before.results);
  });

  it('follows no document in quarantine, and none that is deleted, in the same moment', async () => {
    await client.post('/governance/quarantine', { document_ids: [keeper], reason: 'manual' });
    const during = await ask();
    expect(documentsOf(during)).not.toContain(medlars);
    expect(codesOf(during)).toEqual(['KG_NO_ENTITY']);
    await client.post('/governance/quarantine/release', { document_ids: [keeper] });
    await client.pollUntilTerminal(keeper);
    expect(documentsOf(await ask())).toContain(medlars);
    await client.delete(`/documents/${keeper}`);
    expect(documentsOf(await ask())).not.toContain(medlars);
  });
});
