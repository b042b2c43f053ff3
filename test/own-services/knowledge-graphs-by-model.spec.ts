import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient } from '../support/api-client.js';
import { buildGraph, tellGraph, type GraphPart } from '../support/knowledge-graphs.js';
import { expectProblem } from '../support/problem.js';
import { useRemoteService } from '../support/remote-models.js';

const PRICES = '{"double-chat": {"input": 3, "output": 15, "request": 0.5}}';
const remote = useRemoteService('openai', 'sk-of-graphs', {
  EMBEDDING_PROVIDER: 'builtin',
  EMBEDDING_MODEL: 'hashing-v1',
  MODEL_PRICES: PRICES,
});
const FILES = ['Maren Oxley leads Harbour Works Ltd in Leeds.', 'Quentin Marlow owns Pier 2 Company.'].map(
  (content, n) => ({
    name: `note-${n}.txt`,
    content,
  }),
);
const SECRET = 'jane.harper@example.org';

let client: ApiClient;
let dataset: string;
let made = 0;
beforeAll(() => {
  client = remote.admin;
});

async function datasetWith(
  files: readonly { name: string; content: string }[],
  sections: object = {},
): Promise<string> {
  const id = await client.createDataset(`Notes ${(made += 1)}`);
  const path = `/datasets/${id}/ingestion-policy`;
  expect((await client.send('PUT', path, JSON.stringify(sections))).status).toBe(200);
  for (const file of files) await client.pollUntilTerminal((await client.upload(id, file)).id);
  return id;
}
const labels = async (id: string) => (await client.get<GraphPart>(`/kg/${id}/graph`)).nodes.map(({ label }) => label);
const askedPassages = async () =>
  JSON.stringify((await remote.double.requests()).map(({ body }) => body)).split('<passage-').length - 1;

describe('a graph by a chat model', () => {
  it('costs what the dry run says, and is counted for its purpose', async () => {
    dataset = await datasetWith(FILES);
    const { estimate } = await client.post<{ estimate: Record<string, number> }>('/kg/trigger', {
      dataset_id: dataset,
      mode: 'llm',
      dry_run: true,
    });
    expect(estimate).toMatchObject({ documents: 2, calls: 2, cached_chunks: 0 });
    expect(estimate['cost']).toBeGreaterThan(1);
    expect(await askedPassages()).toBe(0);
    await buildGraph(client, dataset, { mode: 'llm' });
    const state = await client.get<{ usage: { calls: number; cost: number; input_tokens: number } }>(`/kg/${dataset}`);
    expect(state).toMatchObject({ mode: 'llm', model: 'openai/double-chat', usage: { calls: 2 }, skipped: [] });
    // Delimiters are random, so a call may differ by some tokens.
    expect(Math.abs(state.usage.input_tokens - estimate['input_tokens']!)).toBeLessThan(40);
    expect(await labels(dataset)).toEqual(
      expect.arrayContaining(['Maren Oxley', 'Harbour Works Ltd', 'Pier 2 Company']),
    );
    const { items } = await client.get<{ items: { purpose: string; requests: number; cost: number }[] }>(
      '/usage?group_by=purpose',
    );
    const [own] = items.filter(({ purpose }) => purpose === 'knowledge_graph');
    expect(own!.requests).toBe(2);
    expect(own!.cost).toBeCloseTo(state.usage.cost, 6);
  });

  it('ends early within its budget, and says what remains', async () => {
    const id = await datasetWith(
      FILES.map(({ name, content }) => ({ name, content: `${content} Ottilie Brandt lives in York.` })),
    );
    await client.post('/kg/trigger', { dataset_id: id, mode: 'llm', budget: { max_tokens: 1 } });
    const state = async () => client.get<{ status: string }>(`/kg/${id}`);
    await until(async () => (await state()).status === 'incomplete', {
      what: 'the end of the budget',
      withinMs: 20_000,
    });
    expect(await state()).toMatchObject({
      max_tokens: 1,
      usage: { calls: 0 },
      error: { code: 'kg.budget_used_up' },
      remaining: { documents: 2, chunks: 2 },
    });
    await buildGraph(client, id, { mode: 'llm' });
    expect(await state()).toMatchObject({ status: 'completed', error: null, remaining: null });
  });

  it('is made while documents are ingested where the policy says so; a failure is a warning', async () => {
    const id = await datasetWith(FILES, { kg: { mode: 'llm' } });
    expect(await labels(id)).toContain('Maren Oxley');
    await remote.double.always({ kind: 'status', status: 500 });
    const { id: failed } = await client.upload(id, {
      name: 'late.txt',
      content: 'Ruben Castell leads Tidal Bridge Company.',
    });
    const document = await client.pollUntilTerminal(failed);
    await remote.double.always(null);
    expect(document).toMatchObject({ status: 'completed', warnings: [{ code: 'KG_EXTRACTION_FAILED' }] });
    await buildGraph(client, id, { mode: 'llm' });
    expect(await labels(id)).toContain('Ruben Castell');
  });

  it('sees nothing that the policy masks, and nothing of what is in quarantine', async () => {
    const governance = { detectors: [{ entity_type: 'email', action: 'mask', min_score: 0.5 }] };
    const id = await datasetWith(
      [{ name: 'mail.txt', content: `Maren Oxley wrote to ${SECRET} in Leeds.` }, FILES[1]!],
      { governance },
    );
    const page = await client.get<{ items: { id: string; name: string }[] }>(`/documents?dataset_id=${id}`);
    const shut = page.items.find(({ name }) => name === FILES[1]!.name)!;
    await client.post('/governance/quarantine', { document_ids: [shut.id], reason: 'manual' });
    await remote.double.forgetRequests();
    await buildGraph(client, id, { mode: 'llm' });
    const sent = JSON.stringify(await remote.double.requests());
    expect(sent).toContain('Maren Oxley wrote to');
    expect(sent).not.toMatch(/jane\.harper|Quentin Marlow/);
  });

  it('is skipped where the answer stays broken, and read by a further run', async () => {
    const id = await datasetWith([{ name: 'broken.txt', content: 'Sigrid Holm leads the Northern Ferry Company.' }]);
    await remote.double.always({ kind: 'graph', variant: 'broken' });
    await buildGraph(client, id, { mode: 'llm' });
    expect(await client.get(`/kg/${id}`)).toMatchObject({
      skipped: [{ what: 'chunk', reason: 'malformed', count: 1 }],
    });
    await remote.double.always({ kind: 'content_filter', after: 0 });
    await buildGraph(client, id, { mode: 'llm' });
    expect(await client.get(`/kg/${id}`)).toMatchObject({ skipped: [{ what: 'chunk', reason: 'refused', count: 1 }] });
    await remote.double.always(null);
    await buildGraph(client, id, { mode: 'llm' });
    expect(await labels(id)).toContain('Sigrid Holm');
  });

  it('has the part of a document renewed that is renamed, where rules read its title', async () => {
    const content = 'the tidal plan was late. nobody knew the spring ledger. the spring ledger is thin.';
    const id = await datasetWith([{ name: 'x.txt', content }]);
    await buildGraph(client, id);
    const { items } = await client.get<{ items: { id: string }[] }>(`/documents?dataset_id=${id}`);
    await client.patch(`/documents/${items[0]!.id}`, { name: 'tidal plan.txt' });
    await until(async () => (await labels(id)).includes('tidal plan'), { what: 'the new name', withinMs: 20_000 });
    expect(await client.get(`/kg/${id}`)).toMatchObject({ documents: { extracted: 1, not_extracted: 0 } });
  });

  it.each([
    [{ mode: 'model' }, '/mode'],
    [{ mode: null }, '/mode'],
    [{ document_ids: null }, '/document_ids'],
    [{ entity_types: null }, '/entity_types'],
    [{ budget: null }, '/budget'],
    [{ mode: 'llm', budget: { max_tokens: 0 } }, '/budget/max_tokens'],
    [{ mode: 'llm', budget: { max_tokens: '9' } }, '/budget/max_tokens'],
    [{ mode: 'llm', budget: 5 }, '/budget'],
    [{ mode: 'llm', entity_types: ['animal'] }, '/entity_types'],
    [{ mode: 'llm', dry_run: 'yes' }, '/dry_run'],
  ])('refuses %o', async (body, pointer) => {
    const answer = await client.send('POST', '/kg/trigger', JSON.stringify({ dataset_id: dataset, ...body }));
    const problem = expectProblem(answer, 422, 'http.validation_failed');
    expect(JSON.stringify(problem)).toContain(pointer);
    expect(await tellGraph(client, dataset)).toMatchObject({ nodes: expect.any(Array) as unknown });
  });
});
