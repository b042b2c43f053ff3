import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels, ModelFailure } from '#libs/ai';
import { defineErrors, newId, type DatasetId } from '#libs/common';
import { BUILTIN_MODELS, createTestDatabase, type TestDatabase } from '#libs/testing';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import { ExplainLab } from '../testing/explain-lab.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { ScriptedChatModel } from '../testing/scripted-chat-model.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const QUERY = 'pump upkeep';
const PHRASINGS = ['service interval of hydraulic units', 'overhaul of compressors'];
const OVERHAUL = 'An overhaul of all compressors takes place in spring.';
const SIGNAL = new AbortController().signal;
const BUDGET = defineErrors('usage', { budget_exhausted: { status: 429, title: 'Budget', detail: () => 'used up' } });
const FAILURE = new ModelFailure({ provider: 'p', model: 'm', kind: 'timeout' });

describe('a question that a chat model widens', () => {
  let db: TestDatabase;
  let model: ScriptedChatModel;
  let lab: ExplainLab;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => db.close());
  beforeEach(async () => {
    model = new ScriptedChatModel(JSON.stringify({ queries: PHRASINGS }));
    const models = await createModels(BUILTIN_MODELS);
    lab = await ExplainLab.open(db, new MemoryVectorStore(), { ...models, chatModel: model });
    dataset = await lab.dataset();
    await lab.document(dataset, [PUMP, 'The valve opens at 12 bar.', 'Pump rooms are locked.']);
    await lab.document(dataset, [OVERHAUL]);
    for (let n = 0; n < 12; n += 1)
      await lab.document(dataset, [`Pump ${n} is painted, and its upkeep is noted in book ${n}.`]);
  });

  const search = (more: SearchOptionsDto & { top_k?: number } = {}, id: string = newId()): Promise<RetrievalOutcome> =>
    lab.services.recorded.retrieve(
      { ...lab.owner.ctx, requestId: id },
      { query: QUERY, dataset_ids: [dataset], query_expansion: 'multi_query', ...more },
      { kind: 'search' },
    );
  const placesOf = ({ results }: RetrievalOutcome): unknown[] => results.map(({ chunkId, score }) => [chunkId, score]);
  const textsOf = ({ results }: RetrievalOutcome): string[] => results.map(({ text }) => text);
  const warningsOf = ({ report }: RetrievalOutcome): string[] => report.warnings.map(({ code }) => code);

  it.each(['keyword', 'hybrid', 'vector'] as const)(
    'finds what only a further phrasing finds, by %s',
    async (search_method) => {
      const plain = await search({ query_expansion: 'none', search_method: 'keyword', top_k: 5 });
      expect(textsOf(plain)).not.toContain(OVERHAUL);
      expect(plain.report.generated_queries).toBeUndefined();
      const wide = await search({ search_method, top_k: 5 });
      expect(textsOf(wide)).toContain(OVERHAUL);
      expect(wide.report.generated_queries).toEqual(PHRASINGS);
      expect(warningsOf(wide)).toEqual([]);
      expect(wide.report.config_fingerprint).not.toBe(plain.report.config_fingerprint);
      for (const { score } of wide.results) expect(score).toBeGreaterThan(0);
      for (const { score } of wide.results) expect(score).toBeLessThanOrEqual(1);
    },
  );

  it('calls the model once for the same question of one tenant, with the purpose', async () => {
    const first = await search();
    model.says = JSON.stringify({ queries: ['something else'] });
    expect(placesOf(await search())).toEqual(placesOf(first));
    expect([model.requests.length, model.purposes]).toEqual([1, ['query_expansion']]);
    expect(model.requests[0]).toMatchObject({ temperature: 0, sources: [], responseFormat: { kind: 'json_schema' } });
    const others = await lab.dataset('all_team_members', lab.stranger);
    await lab.services.retrieval.retrieve(lab.stranger.ctx, {
      query: QUERY,
      dataset_ids: [others],
      query_expansion: 'multi_query',
    });
    expect(model.requests).toHaveLength(2);
  });

  it('gives prefixes for every top_k, with and without reranking', async () => {
    for (const rerank of [undefined, { enabled: true, top_n: 8 }]) {
      const more = rerank === undefined ? {} : { rerank };
      const all = placesOf(await search({ top_k: 14, ...more }));
      for (let top_k = 1; top_k < 14; top_k += 1)
        expect(placesOf(await search({ top_k, ...more })), `top_k ${top_k}`).toEqual(all.slice(0, top_k));
    }
  });

  it.each<[string, string | Error, string]>([
    ['fails', FAILURE, 'ai.provider_unavailable'],
    ['is out of budget', BUDGET.budget_exhausted({}), 'usage.budget_exhausted'],
    ['writes nothing of use', '…', 'ai.provider_unavailable'],
  ])('searches as it is with a warning where the model %s', async (_how, says, code) => {
    const plain = await search({ query_expansion: 'none' });
    for (const query_expansion of ['multi_query', 'hyde'] as const) {
      model.says = says;
      const outcome = await search({ query_expansion });
      expect(placesOf(outcome)).toEqual(placesOf(plain));
      expect(outcome.report).toMatchObject({
        config_fingerprint: plain.report.config_fingerprint,
        generated_queries: [],
        warnings: [{ code: 'QUERY_EXPANSION_FAILED', detail: expect.stringContaining(code) }],
      });
    }
  });

  it('embeds a passage beside the query, and only where vectors are searched for', async () => {
    model.says = OVERHAUL;
    const wide = await search({ query_expansion: 'hyde', search_method: 'vector', top_k: 3 });
    expect(textsOf(wide)).toContain(OVERHAUL);
    expect(wide.report.generated_queries).toEqual([OVERHAUL]);
    const plain = await search({ query_expansion: 'none', search_method: 'vector', top_k: 3 });
    expect(textsOf(plain)).not.toContain(OVERHAUL);
    const byWords = await search({ query_expansion: 'hyde', search_method: 'keyword' });
    expect(warningsOf(byWords)).toEqual(['QUERY_EXPANSION_FAILED']);
    expect(model.requests).toHaveLength(1);
  });

  it('is replayed with its former queries, without a call of the model', async () => {
    const id = newId();
    await search({}, id);
    model.says = FAILURE;
    const asked = model.requests.length;
    // A ledger of another process, whose cache is empty.
    const other = await ExplainLab.open(db, lab.store, { ...lab.models, chatModel: model });
    await lab.services.ledger.flush();
    const replayed = await other.services.requests.replay(lab.owner.ctx, id, SIGNAL);
    expect(replayed).toMatchObject({ identical: true });
    expect(model.requests).toHaveLength(asked);
  });

  it('is explained with the same queries for every suggestion', async () => {
    const ask = { query: QUERY, dataset_ids: [dataset], query_expansion: 'multi_query', top_k: 1 } as const;
    const answer = await lab.explain({ ...ask, expected: { text: 'Pump rooms are locked.' } });
    expect(answer.retrieval?.generated_queries).toEqual(PHRASINGS);
    expect(answer.suggestions.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(1);
    const before = model.requests.length;
    model.says = FAILURE;
    const failed = await lab.explain({
      ...ask,
      query: 'upkeep of pumps',
      expected: { text: 'Pump rooms are locked.' },
    });
    expect(failed.suggestions.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(before + 1);
  });
});
