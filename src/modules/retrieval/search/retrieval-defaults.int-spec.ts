import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import { BUILTIN_MODELS, createTestDatabase, type TestDatabase } from '#libs/testing';
import { DEFAULT_POLICY, fingerprintOf, type RetrievalDefaults } from '../../ingestion-policy/index.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import type { RetrieveOptions } from '../results/retrieve-options.js';
import { ExplainLab } from '../testing/explain-lab.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';

const TEXTS = [
  'The pump is serviced each month.',
  'The pump is blue.',
  'A pump leaks.',
  'The valve of the pump opens.',
];

describe('search options of policies', () => {
  let db: TestDatabase;
  let lab: ExplainLab;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    const models = await createModels(BUILTIN_MODELS);
    lab = await ExplainLab.open(db, new MemoryVectorStore(), models);
  });
  afterAll(async () => db.close());
  beforeEach(async () => {
    dataset = await shelve();
  });

  const shelve = async (): Promise<DatasetId> => {
    const id = await lab.dataset();
    for (const text of TEXTS) await lab.document(id, [text]);
    return id;
  };
  const settle = (id: DatasetId, version: number, retrieval_defaults: RetrievalDefaults): Promise<void> =>
    lab.library.run(lab.owner, async (manager) => {
      const policy = { ...DEFAULT_POLICY, retrieval_defaults };
      await manager.query(
        `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, policy) VALUES ($1, $2, $3, $4, $5)`,
        [lab.owner.tenantId, id, version, fingerprintOf(policy), JSON.stringify(policy)],
      );
      await manager.query(`UPDATE datasets SET policy_version = $2 WHERE id = $1`, [id, version]);
    });
  const search = (options: object = {}, how: RetrieveOptions = {}, ids = [dataset]): Promise<RetrievalOutcome> =>
    lab.services.retrieval.retrieve(lab.owner.ctx, { query: 'pump', dataset_ids: ids, ...options }, how);
  const codesOf = ({ report }: RetrievalOutcome): string[] => report.warnings.map(({ code }) => code);
  const shown = ({ results, report }: RetrievalOutcome): unknown => ({
    fingerprint: report.config_fingerprint,
    method: report.search_method,
    results: results.map(({ chunkId, score }) => ({ chunkId, score })),
  });

  it('apply to options that a request omits, exactly as if it had set them, from the next search on', async () => {
    const options = { top_k: 2, search_method: 'keyword', mmr: { lambda: 0.4 } } as const;
    const before = await search();
    const named = shown(await search(options));
    await settle(dataset, 2, options);
    const after = await search();
    expect(shown(after)).toEqual(named);
    expect(after.results).toHaveLength(2);
    expect(codesOf(after)).toEqual([]);
    await settle(dataset, 3, {});
    expect(shown(await search())).toEqual(shown(before));
  });

  it('yield to the request, and take precedence over the defaults of the caller of the search', async () => {
    await settle(dataset, 2, { top_k: 2, score_threshold: 1 });
    expect((await search({ top_k: 3, score_threshold: 0 })).results).toHaveLength(3);
    await settle(dataset, 3, { top_k: 2 });
    expect((await search({}, { fallback: { top_k: 1 } })).results).toHaveLength(2);
    await settle(dataset, 4, {});
    expect((await search({}, { fallback: { top_k: 1 } })).results).toHaveLength(1);
  });

  it('must agree over several datasets, else the built-in default holds with a warning that names the option', async () => {
    const other = await shelve();
    await settle(dataset, 2, { top_k: 2, search_method: 'keyword' });
    await settle(other, 2, { top_k: 3, search_method: 'keyword' });
    const both = await search({}, {}, [dataset, other]);
    expect(both.results).toHaveLength(8);
    expect(both.report.search_method).toBe('keyword');
    expect(both.report.warnings).toEqual([
      { code: 'RETRIEVAL_DEFAULTS_DIFFER', detail: expect.stringContaining('differ in: top_k.') },
    ]);
    expect(codesOf(await search({ top_k: 4 }, {}, [dataset, other]))).toEqual([]);
  });

  it('apply to explanations, whose suggestions name the options that the request would have to set', async () => {
    await settle(dataset, 2, { search_method: 'keyword', score_threshold: 1 });
    const document = await lab.document(dataset, ['A note about the pump that stands far below in a long list.']);
    const question = { query: 'pump', dataset_ids: [dataset], expected: { document_id: document.id } };
    const { code, suggestions } = await lab.explain(question);
    expect(code).toBe('BELOW_SCORE_THRESHOLD');
    expect(suggestions.map(({ change }) => change)).toContainEqual({ score_threshold: 0 });
    for (const { change } of suggestions) {
      const { results } = await lab.follow(question, change);
      expect(results.map(({ documentId }) => documentId)).toContain(document.id);
    }
  });

  it('of the time of a recorded request are used in its replay', async () => {
    await settle(dataset, 2, { top_k: 2, expand: 'neighbours', rerank: { top_n: 3 } });
    const ctx = { ...lab.owner.ctx, requestId: newId() };
    await lab.services.recorded.retrieve(ctx, { query: 'pump', dataset_ids: [dataset] }, { kind: 'search' });
    await settle(dataset, 3, { top_k: 1, mmr: { lambda: 0 }, score_threshold: 1 });
    const report = await lab.services.requests.replay(lab.owner.ctx, ctx.requestId, new AbortController().signal);
    expect(report).toMatchObject({ identical: true, causes: [] });
  });
});
