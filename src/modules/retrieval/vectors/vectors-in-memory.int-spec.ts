import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createModels, Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { ShownContentRepository } from '../../content/index.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { PostingsRepository } from '../postings/postings.repository.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { RetrievalService, SearchRequest } from '../search/retrieval.service.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval } from '../testing/retrieval-services.js';
import { VectorMemory } from './vector-memory.service.js';
import { vectorLimits, VectorTables, type VectorTarget } from './vector-tables.service.js';

const MEGABYTE = 1_048_576;
const PARTS = ['pump', 'valve', 'seal', 'gauge', 'invoice', 'contract', 'warranty', 'pressure'];
const textOf = (n: number): string =>
  `Section ${n} tells about the ${PARTS[n % 8]} and the ${PARTS[(n * 3 + 1) % 8]}, part ${n * 37}.`;
const textsOf = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => textOf(from + n));

/** Vectors of the built-in hashing model, said to be of one that knows meaning, so that they propose. */
class ProposingEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;

  constructor(private readonly inner: Embedder) {
    super();
    this.descriptor = { ...inner.descriptor, kind: 'semantic', space: 'test-proposing' };
  }

  override embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    return this.inner.embed(texts, purpose);
  }
}

describe('vectors of datasets in memory', () => {
  let db: TestDatabase;
  let store: MemoryVectorStore;
  let embedder: ProposingEmbedder;
  let library: RetrievalLibrary;
  let owner: TestMember;
  let dataset: DatasetId;
  let documents: DocumentId[];
  let byMemory: RetrievalService;
  let byStore: RetrievalService;

  beforeAll(async () => {
    db = await createTestDatabase();
    store = new MemoryVectorStore();
    const builtin = await createModels(BUILTIN_MODELS);
    embedder = new ProposingEmbedder(builtin.embedder);
    library = new RetrievalLibrary(db.unitOfWork, store, embedder);
    const models = { ...builtin, embedder };
    byMemory = createRetrieval(db.unitOfWork, store, models);
    byStore = createRetrieval(db.unitOfWork, store, models, 64 * MEGABYTE, 0);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
    documents = [];
    for (let n = 0; n < 6; n += 1) {
      const tags = n % 3 === 0 ? ['third'] : [];
      documents.push(await library.addDocument(owner, dataset, { texts: textsOf(n * 5, 5), tags }));
    }
  });
  afterEach(() => vi.restoreAllMocks());

  const search = (service: RetrievalService, request: Partial<SearchRequest> = {}, member = owner) =>
    service.retrieve(member.ctx, {
      query: 'the gauge of the pump',
      dataset_ids: [dataset],
      top_k: 12,
      search_method: 'vector',
      ...request,
    });
  const placesOf = async (service: RetrievalService, request: Partial<SearchRequest> = {}): Promise<unknown> =>
    (await search(service, request)).results.map(({ chunkId, score, scores, ranks }) => ({
      chunkId,
      score,
      scores,
      ranks,
    }));
  const expectAlike = async (request: Partial<SearchRequest> = {}): Promise<void> => {
    const expected = await placesOf(byStore, request);
    expect(expected).not.toEqual([]);
    const asked = vi.spyOn(store, 'searchVector');
    expect(await placesOf(byMemory, request)).toEqual(expected);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  };

  it.each(['vector', 'hybrid'] as const)('give with %s what the store gives, which is not asked', (search_method) =>
    expectAlike({ search_method }),
  );

  it.each(['vector', 'hybrid'] as const)('name for %s all that are ranked, where few are', (search_method) =>
    expectAlike({ search_method, candidate_k: 5, top_k: 5 }),
  );

  it('follow uploads, other contents, quarantine and deletion', async () => {
    await expectAlike();
    documents.push(await library.addDocument(owner, dataset, { texts: textsOf(200, 7) }));
    await expectAlike();
    await library.showTexts(owner, documents[1]!, textsOf(300, 3));
    await expectAlike();
    await library.change(owner, documents[2]!, `quarantined_at = now()`);
    await expectAlike();
    await library.change(owner, documents[3]!, `deleted_at = now()`);
    await expectAlike();
    const shown = (await search(byMemory, { top_k: 50 })).results.map(({ documentId }) => documentId);
    expect(shown).not.toContain(documents[2]);
    expect(shown).not.toContain(documents[3]);
  });

  it('are gone through until enough of them meet a filter', () =>
    expectAlike({ filters: { type: 'in', key: 'tags', value: ['third'] }, candidate_k: 5, top_k: 5 }));

  it('are those of the datasets asked, of this tenant', async () => {
    const other = await library.addDataset(owner);
    await library.addDocument(owner, other, { texts: textsOf(400, 4) });
    await expectAlike({ dataset_ids: [dataset, other], top_k: 40 });
    const only = await search(byMemory, { dataset_ids: [other], top_k: 40 });
    expect(only.results).toHaveLength(4);
    const stranger = await createTestMember(db.unitOfWork, 'editor');
    await expect(search(byMemory, {}, stranger)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('do without nothing: a store that is away fails the search', async () => {
    await search(byMemory);
    vi.spyOn(store, 'ping').mockRejectedValue(new Error('away'));
    await expect(search(byMemory)).rejects.toThrow('away');
  });

  it('are left to the store while one of them is missing', async () => {
    await library.run(owner, (manager) =>
      manager.query(`DELETE FROM chunk_vectors v USING chunks c WHERE c.id = v.chunk_id AND c.document_id = $1`, [
        documents[0],
      ]),
    );
    const asked = vi.spyOn(store, 'searchVector');
    await search(byMemory);
    expect(asked).toHaveBeenCalledOnce();
  });

  describe('are kept', () => {
    let contents: DatasetContents;
    let target: VectorTarget;

    beforeEach(async () => {
      const repository = new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork));
      const keeper = new PostingsKeeper(new PostingsRepository(db.unitOfWork), 64 * MEGABYTE);
      const cache = new DatasetContentsCache(repository, keeper);
      const access = new DatasetAccess(db.unitOfWork);
      const visible = await access.requireAllVisible(owner.ctx, [dataset]);
      contents = (await cache.load(owner.ctx, visible))[0]!;
      target = {
        datasetId: dataset,
        space: 'test-proposing',
        dimensions: embedder.descriptor.dimensions,
        usage: 'proposing',
      };
    });
    const tablesOf = (bytes: number, limits: Partial<ReturnType<typeof vectorLimits>> = {}): VectorTables => {
      const repository = new RetrievalRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
      return new VectorTables(repository, new VectorMemory(bytes), { ...vectorLimits('memory', {}), ...limits });
    };
    const isFound = async (tables: VectorTables): Promise<boolean> =>
      (await tables.find(owner.ctx, target, contents)) !== undefined;

    it('when they are few, by the search that asks for them first, once for all that ask', async () => {
      const read = vi.spyOn(RetrievalRepository.prototype, 'listVectors');
      const tables = tablesOf(MEGABYTE);
      expect(await Promise.all([isFound(tables), isFound(tables), isFound(tables)])).toEqual([true, true, true]);
      expect(read).toHaveBeenCalledOnce();
    });

    it('aside when they are many, and the store proposes until they are there', async () => {
      const tables = tablesOf(MEGABYTE, { waitedChunks: 29 });
      expect(await isFound(tables)).toBe(false);
      await tables.whenRead();
      expect(await isFound(tables)).toBe(true);
    });

    it('aside once, however many ask for them', async () => {
      const read = vi.spyOn(RetrievalRepository.prototype, 'listVectors');
      const tables = tablesOf(MEGABYTE, { waitedChunks: 29 });
      expect(await Promise.all([isFound(tables), isFound(tables), isFound(tables)])).toEqual([false, false, false]);
      await tables.whenRead();
      expect(await isFound(tables)).toBe(true);
      expect(read).toHaveBeenCalledOnce();
    });

    it('by the start, and no search waits for it', async () => {
      const tables = tablesOf(MEGABYTE);
      const { promise: answer, resolve } = Promise.withResolvers<void>();
      const read = RetrievalRepository.prototype.listVectors;
      vi.spyOn(RetrievalRepository.prototype, 'listVectors').mockImplementation(async function (
        this: RetrievalRepository,
        ...call
      ) {
        await answer;
        return read.apply(this, call);
      });
      const loading = tables.load(owner.ctx, target, contents);
      expect(await isFound(tables)).toBe(false);
      resolve();
      await loading;
      expect(await isFound(tables)).toBe(true);
    });

    it('whatever searches find that began before their contents were given up', async () => {
      const tables = tablesOf(MEGABYTE);
      expect(await isFound(tables)).toBe(true);
      expect(await tables.find(owner.ctx, target, { ...contents, postings: null })).toBeUndefined();
      const read = vi.spyOn(RetrievalRepository.prototype, 'listVectors');
      expect(await isFound(tables)).toBe(true);
      expect(read).not.toHaveBeenCalled();
    });

    it('until the service stops, which ends what is being read', async () => {
      const tables = tablesOf(MEGABYTE, { waitedChunks: 29 });
      expect(await isFound(tables)).toBe(false);
      await tables.onModuleDestroy();
      expect(await isFound(tables)).toBe(false);
    });

    it('not without room, nor beyond the size that was set, nor when reading them fails', async () => {
      expect(await isFound(tablesOf(0))).toBe(false);
      expect(await isFound(tablesOf(MEGABYTE, { proposing: 29 }))).toBe(false);
      const tables = tablesOf(MEGABYTE, { waitedChunks: 1 });
      vi.spyOn(RetrievalRepository.prototype, 'listVectors').mockRejectedValueOnce(new Error('away'));
      expect(await isFound(tables)).toBe(false);
      await tables.whenRead();
      expect(await isFound(tables)).toBe(false);
    });

    it('until others need the room and no one has asked for them for a while', async () => {
      const tables = tablesOf(65_536);
      expect(await isFound(tables)).toBe(true);
      const other = { ...target, space: 'test-proposing', datasetId: await library.addDataset(owner) };
      expect(await tables.find(owner.ctx, other, contents)).toBeUndefined();
      const now = performance.now();
      vi.spyOn(performance, 'now').mockReturnValue(now + 301_000);
      expect(await tables.find(owner.ctx, other, contents)).toBeDefined();
      expect(await isFound(tables)).toBe(false);
    });
  });

  it.each([
    ['auto', true, 50_000, Number.POSITIVE_INFINITY],
    ['auto', false, 0, Number.POSITIVE_INFINITY],
    ['store', true, 0, 0],
    ['memory', false, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ] as const)(
    'with %s, in process %s, propose up to %d chunks and order up to %d',
    (setting, isInProcess, proposing, ordering) => {
      expect(vectorLimits(setting, { isInProcess })).toEqual({ setting, proposing, ordering });
    },
  );
});
