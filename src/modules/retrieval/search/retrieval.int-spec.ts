import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { indexRef } from '#libs/vector-store';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import type { RetrievalService } from './retrieval.service.js';
import { toSearchResponse } from '../results/search-views.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, type RetrievalModels } from '../testing/retrieval-services.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const VALVE = 'The safety valve opens at a pressure of 12 bar.';
const INVOICE = 'Invoices are paid within thirty days.';

describe('retrieval', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let store: MemoryVectorStore;
  let library: RetrievalLibrary;
  let retrieval: RetrievalService;
  let owner: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    store = new MemoryVectorStore();
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    retrieval = createRetrieval(db.unitOfWork, store, models);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
  });

  const search = (
    query: string,
    options: SearchOptionsDto & { top_k?: number } = {},
    ids: readonly string[] = [dataset],
    ctx: RequestContext = owner.ctx,
  ): Promise<RetrievalOutcome> => retrieval.retrieve(ctx, { query, dataset_ids: ids, ...options });
  const textsOf = ({ results }: RetrievalOutcome): string[] => results.map(({ text }) => text);
  const placesOf = ({ results }: RetrievalOutcome): unknown[] =>
    results.map(({ chunkId, score, scores, ranks }) => ({ chunkId, score, scores, ranks }));
  const warningsOf = ({ report }: RetrievalOutcome): string[] => report.warnings.map(({ code }) => code);

  describe('finding', () => {
    it.each(['hybrid', 'keyword', 'vector'] as const)('finds the chunk that answers with %s', async (search_method) => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE] });
      await library.addDocument(owner, dataset, { texts: [INVOICE] });
      const outcome = await search('When is the hydraulic pump serviced?', { search_method });
      expect(textsOf(outcome)[0]).toBe(PUMP);
      expect(outcome.report.search_method).toBe(search_method);
      expect(outcome.results[0]!.score).toBeGreaterThan(0);
      expect(outcome.results[0]!.score).toBeLessThanOrEqual(1);
    });

    it('answers with all fields of the contract', async () => {
      const metadata = { department: 'service', nested: { a: [1] } };
      const documentId = await library.addDocument(owner, dataset, {
        name: 'manual.txt',
        texts: [INVOICE, PUMP],
        metadata,
      });
      const outcome = await search('pump service');
      const response = toSearchResponse('r-1', outcome);
      expect(response.results[0]).toEqual({
        chunk_id: outcome.results[0]!.chunkId,
        document_id: documentId,
        document_name: 'manual.txt',
        path: null,
        document_created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        dataset_id: dataset,
        text: PUMP,
        score: expect.any(Number),
        scores: {
          keyword: expect.any(Number),
          vector: expect.any(Number),
          kg: null,
          fusion: expect.any(Number),
          rerank: null,
        },
        ranks: { keyword: 1, vector: 1, kg: null, fusion: 1, rerank: null },
        highlights: [expect.objectContaining({ text: PUMP })],
        position: {
          page: null,
          page_end: null,
          char_start: INVOICE.length + 2,
          char_end: INVOICE.length + 2 + PUMP.length,
          heading_path: [],
          sheet: null,
          row: null,
        },
        metadata,
        policy_version: 1,
        revision: 1,
      });
      const [highlight] = response.results[0]!.highlights!;
      const canonical = `${INVOICE}\n\n${PUMP}`;
      expect(highlight!.matches.map((match) => canonical.slice(match.char_start, match.char_end))).toEqual([
        'pump',
        'serviced',
      ]);
      expect(response.retrieval.counts).toMatchObject({
        chunks_in_scope: 2,
        keyword: 1,
        returned: response.results.length,
      });
    });

    it('leaves out of each result what include does not name', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP] });
      const include = ['text' as const];
      const [result] = toSearchResponse('r', await search('pump', { include }), include).results;
      expect(result).toMatchObject({ text: PUMP });
      expect(Object.keys(result!)).not.toEqual(expect.arrayContaining(['metadata']));
      expect(result).not.toHaveProperty('highlights');
    });

    it('finds Chinese, Japanese and Thai without any setting', async () => {
      const texts = [
        '本合同的期限为三年，期满自动续约。',
        'この契約の期間は三年間とする。',
        'สัญญาเช่าฉบับนี้มีอายุสามปี',
        INVOICE,
      ];
      await library.addDocument(owner, dataset, { texts });
      expect(textsOf(await search('合同期限是多久', { search_method: 'keyword' }))[0]).toBe(texts[0]);
      expect(textsOf(await search('契約の期間', { search_method: 'keyword' }))[0]).toBe(texts[1]);
      expect(textsOf(await search('อายุสัญญาเช่า', { search_method: 'keyword' }))[0]).toBe(texts[2]);
    });

    it('measures whether the results can answer the question', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE, INVOICE] });
      const answered = await search('When is the hydraulic pump serviced?');
      const unanswered = await search('Who won the chess tournament in Reykjavik?');
      expect(answered.evidence).toBeGreaterThan(0.8);
      expect(unanswered.evidence).toBeLessThan(0.2);
    });

    it('takes operators of query languages as text', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP] });
      expect(textsOf(await search('pump: "AND" [* TO *] ~2 (/\\ OR'))).toEqual([PUMP]);
    });
  });

  describe('vectors that know no meaning', () => {
    beforeEach(async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE, 'A pump and a valve.'] });
      await library.addDocument(owner, dataset, { texts: [INVOICE, 'Pumping stations of the city.'] });
    });

    it.each(['hybrid', 'vector'] as const)(
      'are compared here with %s, and the store is not asked for neighbours',
      async (search_method) => {
        const asked = vi.spyOn(store, 'searchVector');
        const outcome = await search('hydraulic pump', { search_method });
        expect(textsOf(outcome)[0]).toBe(PUMP);
        expect(asked).not.toHaveBeenCalled();
      },
    );

    it('add nothing where words find enough, and otherwise only candidates behind those of words', async () => {
      const found = await search('hydraulic pump', { search_method: 'keyword' });
      const few = await search('hydraulic pump', { top_k: found.results.length });
      expect(few.report.counts.vector).toBe(found.results.length);
      const whole = await search('hydraulic pump', { top_k: 10 });
      expect(whole.results.length).toBeGreaterThan(few.results.length);
      expect(placesOf(whole).slice(0, few.results.length)).toEqual(placesOf(few));
    });

    it.each([{}, { mmr: {} }, { rerank: {} }, { fusion: { method: 'weighted', vector_weight: 0.9 } as const }])(
      'give for a top_k the beginning of what a greater one gives, with %j',
      async (options) => {
        const places: unknown[][] = [];
        for (let top_k = 1; top_k <= 6; top_k += 1)
          places.push(placesOf(await search('hydraulic pump', { ...options, top_k })));
        places.forEach((some, index) => expect(some).toEqual(places.at(-1)!.slice(0, index + 1)));
      },
    );
  });

  describe('visibility', () => {
    let document: DocumentId;
    beforeEach(async () => {
      document = await library.addDocument(owner, dataset, { texts: [PUMP, VALVE] });
      expect(await search('pump valve')).toMatchObject({ results: { length: 2 } });
    });

    it.each(['deleted_at', 'quarantined_at'])(
      'shows nothing of a document once %s is set, though the store still has it',
      async (column) => {
        await library.change(owner, document, `${column} = now()`);
        const outcome = await search('pump valve');
        expect(outcome.results).toEqual([]);
        expect(outcome.report.counts).toMatchObject({ visible: 0, chunks_in_scope: 0 });
        const index = indexRef(owner.ctx, dataset, models.embedder.descriptor.space);
        expect(await store.count(index)).toBeGreaterThan(0);
      },
    );

    it('shows a document again when it leaves quarantine', async () => {
      const before = await search('pump valve');
      await library.change(owner, document, `quarantined_at = now()`);
      await library.change(owner, document, `quarantined_at = NULL`);
      expect(placesOf(await search('pump valve'))).toEqual(placesOf(before));
    });

    it('shows the new chunks and none of the old ones after a reingest, though the store holds both', async () => {
      await library.showTexts(owner, document, [`${PUMP} Revised.`]);
      expect(textsOf(await search('pump valve'))).toEqual([`${PUMP} Revised.`]);
    });

    it('shows a chunk only under the generation that is visible', async () => {
      await library.change(owner, document, 'visible_generation = visible_generation + 1000');
      retrieval = createRetrieval(db.unitOfWork, store, models, 0);
      for (const search_method of ['hybrid', 'keyword', 'vector'] as const)
        expect((await search('pump valve', { search_method })).results).toEqual([]);
    });

    it('finds in memory what the vector store has lost', async () => {
      await store.remove(indexRef(owner.ctx, dataset, models.embedder.descriptor.space), { all: true });
      expect(textsOf(await search('pump valve', { search_method: 'vector' }))).toHaveLength(2);
      expect(textsOf(await search('pump valve'))).toHaveLength(2);
    });

    it('keeps the chunks of a document that is being reingested', async () => {
      await library.run(owner, (manager) =>
        manager.query(`UPDATE documents SET status = 'failed' WHERE id = $1`, [document]),
      );
      expect(textsOf(await search('pump valve'))).toHaveLength(2);
    });

    it('looks further when rows that are no longer visible fill the first candidates', async () => {
      retrieval = createRetrieval(db.unitOfWork, store, models, 0);
      for (let version = 0; version < 12; version += 1) {
        await library.showTexts(owner, document, [`${PUMP} Version ${version}.`]);
      }
      await library.addDocument(owner, dataset, { texts: ['A pump is mentioned here too.'] });
      const outcome = await search('hydraulic pump serviced', { candidate_k: 2, search_method: 'keyword', top_k: 2 });
      expect(textsOf(outcome)).toEqual([`${PUMP} Version 11.`, 'A pump is mentioned here too.']);
    });

    it("knows no dataset that is another tenant's, another member's own, deleted or unknown", async () => {
      const stranger = await createTestMember(db.unitOfWork, 'owner');
      const colleague = await createTestMember(db.unitOfWork, 'owner', owner.tenantId);
      const own = await library.addDataset(owner, 'only_me');
      const notFound = { status: 404, code: 'datasets.not_found' };
      await expect(search('pump', {}, [dataset], stranger.ctx)).rejects.toMatchObject(notFound);
      await expect(search('pump', {}, [own], colleague.ctx)).rejects.toMatchObject(notFound);
      await expect(search('pump', {}, [dataset, newId()])).rejects.toMatchObject(notFound);
      expect((await search('pump', {}, [dataset], colleague.ctx)).results).toHaveLength(1);
      await library.run(owner, (manager) =>
        manager.query(`UPDATE datasets SET deleted_at = now() WHERE id = $1`, [dataset]),
      );
      await expect(search('pump')).rejects.toMatchObject(notFound);
    });
  });

  describe('order', () => {
    const questions = ['hydraulic pump pressure', 'valve invoices thirty', 'serviced every bar'];

    it('does not change by uploads into other datasets, of this tenant or another', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE, INVOICE] });
      const before = await Promise.all(questions.map((query) => search(query)));
      const stranger = await createTestMember(db.unitOfWork, 'owner');
      for (const [member, id] of [
        [owner, await library.addDataset(owner)],
        [stranger, await library.addDataset(stranger)],
      ] as const) {
        await library.addDocument(member, id, { texts: [PUMP, VALVE, 'pressure pressure pressure', 'bar bar pump'] });
      }
      const after = await Promise.all(questions.map((query) => search(query)));
      expect(after.map(placesOf)).toEqual(before.map(placesOf));
    });

    it('is the same as without documents that came and went meanwhile', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE, INVOICE] });
      const before = await Promise.all(questions.map((query) => search(query)));
      const passing = await library.addDocument(owner, dataset, { texts: [`${PUMP} ${VALVE}`, 'pressure bar pump'] });
      expect(placesOf(await search(questions[0]!))).not.toEqual(placesOf(before[0]!));
      await library.change(owner, passing, 'deleted_at = now()');
      const after = await Promise.all(questions.map((query) => search(query)));
      expect(after.map(placesOf)).toEqual(before.map(placesOf));
    });

    it('breaks ties by document and ordinal', async () => {
      const first = await library.addDocument(owner, dataset, { texts: [PUMP, PUMP] });
      const second = await library.addDocument(owner, dataset, { texts: [PUMP] });
      const { results } = await search('pump');
      expect(results.map(({ documentId, ordinal }) => [documentId, ordinal])).toEqual([
        [first, 0],
        [first, 1],
        [second, 0],
      ]);
    });

    it('orders several datasets as one whose statistics are those of all of them', async () => {
      const other = await library.addDataset(owner);
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE] });
      await library.addDocument(owner, other, { texts: [INVOICE, 'A pump and an invoice.'] });
      const outcome = await search('pump invoice', {}, [dataset, other]);
      expect(outcome.report.counts.chunks_in_scope).toBe(4);
      expect(outcome.results[0]!.datasetId).toBe(other);
      expect(placesOf(await search('pump invoice', {}, [other, dataset]))).toEqual(placesOf(outcome));
    });

    it.each<SearchOptionsDto>([
      {},
      { search_method: 'keyword' },
      { search_method: 'vector' },
      { fusion: { method: 'weighted', vector_weight: 0.5 } },
      { rerank: { top_n: 4 } },
      { mmr: { lambda: 0.4 } },
    ])('gives with %j for a smaller top_k a prefix, and for a higher threshold no new result', async (options) => {
      await library.addDocument(owner, dataset, {
        texts: [PUMP, VALVE, INVOICE, `${PUMP} ${VALVE}`, 'Pump pressure in bar.', 'A valve, a pump.'],
      });
      const query = 'pump valve pressure';
      const all = await search(query, { ...options, top_k: 10 });
      for (const top_k of [1, 2, 3, 4]) {
        expect(placesOf(await search(query, { ...options, top_k }))).toEqual(placesOf(all).slice(0, top_k));
      }
      const strict = await search(query, { ...options, score_threshold: all.results[1]!.score });
      expect(textsOf(all)).toEqual(expect.arrayContaining(textsOf(strict)));
      expect(strict.results.every(({ score }) => score >= all.results[1]!.score)).toBe(true);
    });
  });

  describe('options', () => {
    it('reranks the best candidates and leaves out the rest', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, VALVE, 'pump pump pump valve'] });
      const outcome = await search('safety valve opens', { rerank: { top_n: 2 } });
      expect(outcome.results).toHaveLength(2);
      expect(outcome.results[0]).toMatchObject({
        text: VALVE,
        ranks: { rerank: 1 },
        scores: { rerank: outcome.results[0]!.score },
      });
      expect(warningsOf(outcome)).toContain('RERANK_LIMITS_RESULTS');
    });

    it('prefers, with mmr, new content to content that repeats the best results', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP, PUMP, 'A pump pressure gauge.'] });
      expect(textsOf(await search('hydraulic pump serviced', { top_k: 2 }))).toEqual([PUMP, PUMP]);
      expect(textsOf(await search('hydraulic pump serviced', { top_k: 2, mmr: { lambda: 0.3 } }))).toEqual([
        PUMP,
        'A pump pressure gauge.',
      ]);
    });

    it('filters by metadata and tags', async () => {
      await library.addDocument(owner, dataset, {
        texts: [PUMP],
        tags: ['manual'],
        metadata: { year: 2026, site: { city: 'Bonn' } },
      });
      await library.addDocument(owner, dataset, { texts: [`${PUMP} Old.`], metadata: { year: 2019 } });
      const found = async (filters: object): Promise<string[]> => textsOf(await search('pump', { filters }));
      expect(await found({ type: 'eq', key: 'tags', value: 'manual' })).toEqual([PUMP]);
      expect(await found({ type: 'eq', key: 'metadata.site.city', value: 'Bonn' })).toEqual([PUMP]);
      expect(await found({ type: 'lt', key: 'metadata.year', value: 2020 })).toEqual([`${PUMP} Old.`]);
    });

    it('filters by the metadata of this moment, though the store may have older ones', async () => {
      const document = await library.addDocument(owner, dataset, { texts: [PUMP], tags: ['draft'] });
      await library.run(owner, (manager) =>
        manager.query(`UPDATE documents SET tags = '{final}' WHERE id = $1`, [document]),
      );
      expect((await search('pump', { filters: { type: 'eq', key: 'tags', value: 'draft' } })).results).toEqual([]);
    });

    it('has one fingerprint for one configuration, for every question', async () => {
      const one = await search('pump', { top_k: 3 });
      const other = await search('valve', { search_method: 'hybrid' });
      expect(other.report.config_fingerprint).toBe(one.report.config_fingerprint);
      expect((await search('pump', { candidate_k: 50 })).report.config_fingerprint).not.toBe(
        one.report.config_fingerprint,
      );
    });
  });

  describe('warnings', () => {
    it('says that a dataset is empty and that documents are being ingested', async () => {
      const document = await library.addDocument(owner, dataset, { texts: [] });
      await library.run(owner, (manager) =>
        manager.query(`UPDATE documents SET status = 'pending' WHERE id = $1`, [document]),
      );
      const outcome = await search('pump');
      expect(outcome).toMatchObject({ results: [], evidence: 0 });
      expect(warningsOf(outcome)).toEqual(['DATASET_EMPTY', 'DOCUMENTS_PENDING']);
    });

    it('tells that a document came while the search was under way', async () => {
      await library.addDocument(owner, dataset, { texts: [VALVE] });
      await search('pump');
      const { findShown } = RetrievalRepository.prototype;
      vi.spyOn(RetrievalRepository.prototype, 'findShown').mockImplementationOnce(async function (
        this: RetrievalRepository,
        ...parameters
      ) {
        await library.addDocument(owner, dataset, { texts: [PUMP] });
        return findShown.apply(this, parameters);
      });
      const outcome = await search('safety valve opens');
      expect(textsOf(outcome)).toEqual([VALVE]);
      expect(warningsOf(outcome)).toEqual(['DOCUMENTS_PENDING']);
      expect(warningsOf(await search('safety valve opens'))).toEqual([]);
    });

    it('tells that a query has no words, that filters hide everything, or that the threshold does', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP] });
      expect(warningsOf(await search('?!', { search_method: 'keyword' }))).toEqual(['QUERY_WITHOUT_TERMS']);
      expect(warningsOf(await search('pump', { filters: { type: 'eq', key: 'tags', value: 'none' } }))).toEqual([
        'FILTERS_TOO_STRICT',
      ]);
      expect(warningsOf(await search('pump', { search_method: 'keyword', score_threshold: 1 }))).toEqual([
        'BELOW_SCORE_THRESHOLD',
      ]);
      expect(
        warningsOf(
          await search('zebra', { search_method: 'keyword', filters: { type: 'eq', key: 'tags', value: 'none' } }),
        ),
      ).toEqual([]);
      expect(warningsOf(await search('pump'))).toEqual([]);
    });
  });

  describe('failure', () => {
    it('stops when the caller leaves', async () => {
      await library.addDocument(owner, dataset, { texts: [PUMP] });
      const caller = new AbortController();
      store.afterSearch = async () => caller.abort(new Error('left'));
      await expect(
        retrieval.retrieve(owner.ctx, { query: 'pump', dataset_ids: [dataset] }, { signal: caller.signal }),
      ).rejects.toThrow('left');
    });

    it('passes on that the store does not answer', async () => {
      const failure = Object.assign(new Error('down'), { code: 'vector_store.unavailable' });
      store.afterSearch = () => Promise.reject(failure);
      for (const search_method of ['hybrid', 'keyword', 'vector'] as const)
        await expect(search('pump', { search_method })).rejects.toBe(failure);
    });
  });
});
