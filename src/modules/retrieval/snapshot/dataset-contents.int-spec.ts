import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { analyzeQuery, KeywordScorer, LEGS, queryHashes, type TermStatistics } from '#libs/ranking';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import type { DatasetContents } from './held-dataset.js';
import { PostingScores } from '../postings/posting-scores.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { PostingsRepository } from '../postings/postings.repository.js';
import { RetrievalWarmup } from '../search/retrieval-warmup.service.js';
import { DatasetContentsCache } from './dataset-contents-cache.service.js';
import { ShownContentRepository } from '../../content/index.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import type { VectorWarmup } from '../vectors/vector-warmup.service.js';
import type { WordFilesUpkeep } from './word-files-upkeep.service.js';
import { scalesOver } from '../testing/retrieval-services.js';

const WORDS = ['pump', 'valve', 'seal', 'gauge', '合同', 'invoice'];
const HASHES = WORDS.map((word) => analyzeQuery(word).words[0]!.hash);

describe('DatasetContentsCache', () => {
  let db: TestDatabase;
  let library: RetrievalLibrary;
  let member: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    const { embedder } = await createModels(BUILTIN_MODELS);
    library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    member = await createTestMember(db.unitOfWork);
    dataset = await library.addDataset(member);
  });

  const newContents = (
    repository: TermStatisticsRepository,
    maxBytes = 1_000_000,
    waitedChunks?: number,
  ): DatasetContentsCache =>
    new DatasetContentsCache(
      repository,
      new PostingsKeeper(new PostingsRepository(db.unitOfWork), maxBytes, waitedChunks),
    );
  const newCache = (maxBytes?: number, waitedChunks?: number): DatasetContentsCache =>
    newContents(
      new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork)),
      maxBytes,
      waitedChunks,
    );
  const loadContents = async (cache: DatasetContentsCache, id = dataset): Promise<DatasetContents> => {
    const datasets = await new DatasetAccess(db.unitOfWork).requireAllVisible(member.ctx, [id]);
    return (await cache.load(member.ctx, datasets))[0]!;
  };
  const load = async (cache: DatasetContentsCache): Promise<TermStatistics> => (await loadContents(cache)).statistics;
  /** Every chunk with its score; null while the words are not kept. */
  const scoresOf = ({ postings, counted, statistics }: DatasetContents): unknown => {
    if (postings === null) return null;
    const query = analyzeQuery(WORDS.join(' '));
    return new PostingScores(postings, counted, new KeywordScorer(query, statistics), queryHashes(query)).best(1_000);
  };
  const figuresOf = (statistics: TermStatistics): unknown => ({
    chunks: statistics.chunkCount,
    lengths: LEGS.map((leg) => statistics.averageLength(leg)),
    frequencies: HASHES.map((hash) => statistics.df(hash)),
  });
  const dropHiddenSets = (): Promise<unknown> =>
    library.run(member, (manager) =>
      manager.query(
        `DELETE FROM chunk_sets s USING documents d WHERE d.id = s.document_id AND (d.visible_chunk_set_id IS DISTINCT FROM s.id OR d.deleted_at IS NOT NULL)`,
      ),
    );

  it('is warm before the first search, for the datasets of every tenant', async () => {
    const { embedder } = await createModels(BUILTIN_MODELS);
    const other = await createTestMember(db.unitOfWork);
    const foreign = await library.addDataset(other);
    await library.addDocument(member, dataset, { texts: ['pump valve'] });
    await library.addDocument(other, foreign, { texts: ['seal', 'gauge'] });
    const cache = newCache();
    const repository = new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork));
    await new RetrievalWarmup(
      embedder,
      new MemoryVectorStore(),
      cache,
      repository,
      scalesOver(db.unitOfWork, embedder),
      { begin: () => undefined } as unknown as VectorWarmup,
      { begin: () => undefined } as unknown as WordFilesUpkeep,
    ).ensureWarm();
    const read = vi.spyOn(TermStatisticsRepository.prototype, 'findChanges');
    try {
      expect((await load(cache)).chunkCount).toBe(1);
      const [seen] = await new DatasetAccess(db.unitOfWork).requireAllVisible(other.ctx, [foreign]);
      expect((await cache.load(other.ctx, [seen!]))[0]!.statistics.chunkCount).toBe(2);
      expect(read).not.toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  const anyTexts = fc.array(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
    { maxLength: 3 },
  );
  const anyStep = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), texts: anyTexts }),
    fc.record({ kind: fc.constant('replace' as const), texts: anyTexts, which: fc.nat() }),
    fc.record({ kind: fc.constantFrom('delete', 'quarantine', 'release', 'purge'), which: fc.nat() }),
    fc.record({ kind: fc.constantFrom('look', 'clean') }),
  );
  type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

  async function take(step: Step, documents: DocumentId[], cache: DatasetContentsCache): Promise<void> {
    if (step.kind === 'add' && 'texts' in step) documents.push(await library.addDocument(member, dataset, step));
    if (step.kind === 'look') await load(cache);
    if (step.kind === 'clean') await dropHiddenSets();
    if (!('which' in step) || documents.length === 0) return;
    const document = documents[step.which % documents.length]!;
    if (step.kind === 'replace' && 'texts' in step) await library.showTexts(member, document, step.texts);
    if (step.kind === 'delete' || step.kind === 'purge') await library.change(member, document, 'deleted_at = now()');
    if (step.kind === 'quarantine') await library.change(member, document, 'quarantined_at = now()');
    if (step.kind === 'release') await library.change(member, document, 'quarantined_at = NULL');
    if (step.kind !== 'purge') return;
    documents.splice(documents.indexOf(document), 1);
    await library.run(member, (manager) => manager.query(`DELETE FROM documents WHERE id = $1`, [document]));
  }

  it('equals a rebuild after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
        dataset = await library.addDataset(member);
        const cache = newCache();
        const documents: DocumentId[] = [];
        for (const step of steps) await take(step, documents, cache);
        expect(figuresOf(await load(cache))).toEqual(figuresOf(await load(newCache())));
        const scores = scoresOf(await loadContents(cache));
        expect(scores).not.toBeNull();
        expect(scores).toEqual(scoresOf(await loadContents(newCache())));
      }),
      { numRuns: 25 },
    );
  });

  it('counts exactly the visible chunks', async () => {
    const cache = newCache();
    const first = await library.addDocument(member, dataset, { texts: ['pump valve', 'pump'] });
    await library.addDocument(member, dataset, { texts: ['seal'] });
    expect(figuresOf(await load(cache))).toMatchObject({ chunks: 3, frequencies: [2, 1, 1, 0, 0, 0] });
    await library.showTexts(member, first, ['gauge']);
    expect(figuresOf(await load(cache))).toMatchObject({ chunks: 2, frequencies: [0, 0, 1, 1, 0, 0] });
    await library.change(member, first, 'deleted_at = now()');
    expect(figuresOf(await load(cache))).toMatchObject({ chunks: 1, frequencies: [0, 0, 1, 0, 0, 0] });
  });

  it('counts nothing of a document whose row vanished since it was counted', async () => {
    const cache = newCache();
    const purged = await library.addDocument(member, dataset, { texts: ['pump'] });
    await library.addDocument(member, dataset, { texts: ['seal'] });
    expect((await load(cache)).chunkCount).toBe(2);
    await library.change(member, purged, 'deleted_at = now()');
    await library.run(member, (manager) => manager.query(`DELETE FROM documents WHERE id = $1`, [purged]));
    expect(figuresOf(await load(cache))).toMatchObject({ chunks: 1, frequencies: [0, 0, 1, 0, 0, 0] });
  });

  it('is read once by many requests at the same time', async () => {
    await library.addDocument(member, dataset, { texts: ['pump'] });
    const repository = new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork));
    let reads = 0;
    const counting: Pick<TermStatisticsRepository, 'findChanges' | 'listSummaries'> = {
      findChanges: (ctx, id, after) => {
        reads += 1;
        return repository.findChanges(ctx, id, after);
      },
      listSummaries: (ctx, ids) => repository.listSummaries(ctx, ids),
    };
    const cache = newContents(counting as TermStatisticsRepository);
    const all = await Promise.all(Array.from({ length: 6 }, () => load(cache)));
    expect(all.map(({ chunkCount }) => chunkCount)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(reads).toBe(1);
    await load(cache);
    expect(reads).toBe(1);
  });

  it('tries again after a failure', async () => {
    await library.addDocument(member, dataset, { texts: ['pump'] });
    const repository = new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork));
    let fails = true;
    const failing: Pick<TermStatisticsRepository, 'findChanges' | 'listSummaries'> = {
      findChanges: (ctx, id, after) => repository.findChanges(ctx, id, after),
      listSummaries: (ctx, ids) => (fails ? Promise.reject(new Error('gone')) : repository.listSummaries(ctx, ids)),
    };
    const cache = newContents(failing as TermStatisticsRepository);
    await expect(load(cache)).rejects.toThrow('gone');
    fails = false;
    expect((await load(cache)).chunkCount).toBe(1);
    await library.addDocument(member, dataset, { texts: ['valve'] });
    fails = true;
    await expect(load(cache)).rejects.toThrow('gone');
    fails = false;
    expect((await load(cache)).chunkCount).toBe(2);
  });

  describe('postings', () => {
    it('of many chunks are made aside, while searches do without, and count what has changed meanwhile', async () => {
      const documents = [];
      for (let n = 0; n < 4; n += 1)
        documents.push(await library.addDocument(member, dataset, { texts: ['pump', 'seal'] }));
      const cache = newCache(1_000_000, 5);
      expect((await loadContents(cache)).postings).toBeNull();
      await library.change(member, documents[0]!, 'deleted_at = now()');
      await library.addDocument(member, dataset, { texts: ['valve'] });
      await loadContents(cache);
      await cache.whenPosted();
      const scores = scoresOf(await loadContents(cache));
      expect(scores).toHaveLength(7);
      expect(scores).toEqual(scoresOf(await loadContents(newCache())));
    });

    it('are not kept of a dataset that there is no room for, and given up when it has grown too large', async () => {
      await library.addDocument(member, dataset, { texts: ['pump'] });
      expect((await loadContents(newCache(100))).postings).toBeNull();
      const cache = newCache(1_200);
      expect((await loadContents(cache)).postings).not.toBeNull();
      await library.addDocument(member, dataset, { texts: Array.from({ length: 6 }, () => WORDS.join(' ')) });
      expect((await loadContents(cache)).postings).toBeNull();
    });

    it('stay those of the dataset that was asked first while there is no room for two', async () => {
      const other = await library.addDataset(member);
      const texts = Array.from({ length: 4 }, (_, n) => `${WORDS.join(' ')} ${n}`);
      for (const id of [dataset, other]) await library.addDocument(member, id, { texts });
      const { statistics } = await loadContents(newCache());
      const cache = newCache(Math.ceil(1.5 * (statistics.postingCount * 4 + statistics.chunkCount * 250)));
      const [first, second] = [await loadContents(cache), await loadContents(cache, other)];
      expect([first.postings === null, second.postings === null]).toEqual([false, true]);
      const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_000);
      try {
        expect((await loadContents(cache, other)).postings).not.toBeNull();
        expect(first.postings).toBeNull();
      } finally {
        now.mockRestore();
      }
    });
  });
});
