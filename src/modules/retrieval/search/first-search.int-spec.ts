import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { DEADLINE_MS, FIRST_DEADLINE_MS } from '../request/search-deadline.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, type RetrievalModels } from '../testing/retrieval-services.js';
import type { RetrievalService } from './retrieval.service.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';

describe('the first searches after a start', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let owner: TestMember;
  let dataset: DatasetId;
  let retrieval: RetrievalService;
  /** Lets the counting go on. */
  let release: () => void;
  /** Resolves when the words of the dataset are being counted. */
  let counting: Promise<void>;
  let counted: number;
  let loads: MockInstance;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    const store = new MemoryVectorStore();
    const library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
    await library.addDocument(owner, dataset, { texts: [PUMP] });
    retrieval = createRetrieval(db.unitOfWork, store, models);
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    [counting, release, counted] = [begun.promise, gate.resolve, 0];
    const listSummaries = TermStatisticsRepository.prototype.listSummaries;
    vi.spyOn(TermStatisticsRepository.prototype, 'listSummaries').mockImplementation(async function (
      this: TermStatisticsRepository,
      ...parameters
    ) {
      counted += 1;
      begun.resolve();
      await gate.promise;
      return listSummaries.apply(this, parameters);
    });
    loads = vi.spyOn(DatasetContentsCache.prototype, 'load');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    release();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const search = (signal?: AbortSignal): Promise<RetrievalOutcome> =>
    retrieval.retrieve(
      owner.ctx,
      { query: 'pump serviced', dataset_ids: [dataset] },
      signal === undefined ? {} : { signal },
    );

  /** Resolves when this many searches wait for the counting alone: a statement under way would be given up by the clock, too. */
  const areWaiting = async (searches: number): Promise<void> => {
    await counting;
    while (loads.mock.calls.length < searches) await new Promise((resolve) => setImmediate(resolve));
  };

  it('share the counting, and wait for it beyond the time limit of a search', async () => {
    const searches = [search(), search(), search()];
    await areWaiting(searches.length);
    await vi.advanceTimersByTimeAsync(2 * DEADLINE_MS);
    release();
    const found = await Promise.all(searches);
    expect(found.map(({ results }) => results.map(({ text }) => text))).toEqual([[PUMP], [PUMP], [PUMP]]);
    expect(counted).toBe(1);
  });

  it('are refused when the counting takes too long, which goes on for the next one', async () => {
    const late = search();
    const refused = expect(late).rejects.toMatchObject({ code: 'retrieval.timeout' });
    await areWaiting(1);
    await vi.advanceTimersByTimeAsync(FIRST_DEADLINE_MS);
    await refused;
    release();
    expect((await search()).results).toHaveLength(1);
    expect(counted).toBe(1);
  });

  it('end with their callers', async () => {
    const caller = new AbortController();
    const left = search(caller.signal);
    const ended = expect(left).rejects.toThrow('gone');
    await counting;
    caller.abort(new Error('gone'));
    await ended;
  });
});
