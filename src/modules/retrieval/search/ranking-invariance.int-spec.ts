import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type ChunkId, type DatasetId, type DocumentId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { analyzeChunk, ANALYSIS_VERSION, decodeTerms, encodeTerms, storeTerms } from '#libs/ranking';
import { indexRef, type IndexedChunk, type VectorStore } from '#libs/vector-store';
import type { SearchMethod } from '../request/search-options.dto.js';
import { MadeUpTexts } from '../testing/made-up-texts.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, type RetrievalModels } from '../testing/retrieval-services.js';
import { openTestStores, type TestStore } from '../testing/test-stores.js';

/** Of 8 chunks each: with the default every chunk is proposed; 200 are more than the store is asked for. */
const DOCUMENTS = Number(process.env['TEST_INVARIANCE_DOCUMENTS'] ?? 40);
const CHUNKS_PER_DOCUMENT = 8;
const QUERIES = 50;
const TOP = 10;
/** Chunks put into another dataset of the same tenant, and as many into one of another tenant; ten thousand take minutes. */
const FOREIGN_CHUNKS = Number(process.env['TEST_FOREIGN_CHUNKS'] ?? 500);
const WRITTEN_AT_ONCE = 200;
/** Share of the queries whose first ten must be the same on all stores, where vectors are searched by approximation. */
const SAME_TOP_TEN = 0.98;
const LONG_MS = 1_200_000;

interface Answer {
  readonly text: string;
  readonly score: number;
}
/** By query. */
type Answers = readonly (readonly Answer[])[];

describe('the order of results', { timeout: LONG_MS }, () => {
  const texts = new MadeUpTexts();
  const queries = Array.from({ length: QUERIES }, (_, n) => texts.question(n));
  let directory: string;
  let db: TestDatabase;
  let models: RetrievalModels;
  let stores: TestStore[];
  let library: RetrievalLibrary;
  let owner: TestMember;
  let dataset: DatasetId;
  let documents: DocumentId[];
  let before: Map<string, Answers>;

  const textsOf = (document: number): string[] =>
    Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, n) => texts.chunk(document * CHUNKS_PER_DOCUMENT + n));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'invariance-'));
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
    stores = await openTestStores(directory);
    library = new RetrievalLibrary(
      db.unitOfWork,
      toAll(() => stores.map(({ store }) => store)),
      models.embedder,
    );
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
    documents = [];
    for (let n = 0; n < DOCUMENTS; n += 1)
      documents.push(await library.addDocument(owner, dataset, { texts: textsOf(n) }));
    before = await answersOfAll(dataset);
  }, LONG_MS);
  afterAll(async () => {
    for (const store of stores) {
      await store.removeIndexes();
      await store.close();
    }
    await db.close();
    await rm(directory, { recursive: true, force: true });
  });

  const METHODS: readonly SearchMethod[] = ['keyword', 'hybrid'];

  /** With caches that know nothing yet, of each store and method. */
  async function answersOfAll(id: DatasetId): Promise<Map<string, Answers>> {
    const all = new Map<string, Answers>();
    for (const { name, store } of stores) {
      const retrieval = createRetrieval(db.unitOfWork, store, models);
      for (const search_method of METHODS) {
        const answers: (readonly Answer[])[] = [];
        for (const query of queries) {
          const request = { query, dataset_ids: [id], search_method, top_k: TOP };
          const { results } = await retrieval.retrieve(owner.ctx, request);
          answers.push(results.map(({ text, score }) => ({ text, score })));
        }
        all.set(`${name} ${search_method}`, answers);
      }
    }
    return all;
  }

  /** What a store holds of a dataset that the searches do not ask. */
  async function fillForeign(member: TestMember): Promise<void> {
    const id = await library.addDataset(member);
    const { space, dimensions } = models.embedder.descriptor;
    const index = indexRef(member.ctx, id, space);
    for (const { store } of stores) await store.ensureIndex(index, { dimensions, analysisVersion: ANALYSIS_VERSION });
    for (let from = 0; from < FOREIGN_CHUNKS; from += WRITTEN_AT_ONCE) {
      const bodies = Array.from({ length: Math.min(WRITTEN_AT_ONCE, FOREIGN_CHUNKS - from) }, (_, n) =>
        texts.chunk(from + n),
      );
      const { vectors } = await models.embedder.embed(bodies, 'document');
      const documentId = newId<DocumentId>();
      const rows = bodies.map((text, n): IndexedChunk => foreignChunk(documentId, n, text, vectors[n]!));
      for (const { store } of stores) await store.write(index, rows);
    }
  }

  it('has ten results for each question', () => {
    for (const answers of before.values()) for (const answer of answers) expect(answer).toHaveLength(TOP);
  });

  it('is by keywords exactly the same on every store, and nearly always in a hybrid search', () => {
    for (const { name } of stores) {
      expect(before.get(`${name} keyword`)).toEqual(before.get('embedded keyword'));
      const [own, first] = [before.get(`${name} hybrid`)!, before.get('embedded hybrid')!];
      const same = own.filter(
        (answer, n) => answer.map(({ text }) => text).join('\n') === first[n]!.map(({ text }) => text).join('\n'),
      );
      expect(same.length / QUERIES).toBeGreaterThanOrEqual(SAME_TOP_TEN);
    }
  });

  it('does not change when the store merges its files', async () => {
    for (const store of stores) await store.compact();
    expect(await answersOfAll(dataset)).toEqual(before);
  });

  it('is that of a dataset into which the same documents came in another order', async () => {
    const other = await library.addDataset(owner);
    for (let n = DOCUMENTS - 1; n >= 0; n -= 1) await library.addDocument(owner, other, { texts: textsOf(n) });
    expect(await answersOfAll(other)).toEqual(before);
  });

  it('does not change by uploads into other datasets, of this tenant or another, nor does what passes a threshold', async () => {
    await fillForeign(owner);
    await fillForeign(await createTestMember(db.unitOfWork, 'owner'));
    expect(await answersOfAll(dataset)).toEqual(before);
  });

  it('does not change when documents are ingested again, while the old rows are there and when they are gone', async () => {
    const { space } = models.embedder.descriptor;
    const index = indexRef(owner.ctx, dataset, space);
    const again = documents.filter((_, n) => n % 3 === 0);
    for (const id of again) await library.showTexts(owner, id, textsOf(documents.indexOf(id)));
    expect(await answersOfAll(dataset)).toEqual(before);
    const shown = await library.run(owner, (manager) =>
      manager.query<{ id: DocumentId; generation: string }[]>(
        `SELECT id, visible_generation::text AS generation FROM documents WHERE id = ANY ($1::uuid[])`,
        [again],
      ),
    );
    const current = new Map(shown.map(({ id, generation }) => [id, generation]));
    for (const { store } of stores) {
      const old: { documentId: DocumentId; generation: string }[] = [];
      for await (const row of store.listIds(index, { documentIds: again }))
        if (row.generation !== current.get(row.documentId)) old.push(row);
      expect(old.length).toBeGreaterThan(0);
      await store.remove(index, { generations: old });
    }
    expect(await answersOfAll(dataset)).toEqual(before);
  });

  it('does not change when documents are deleted and uploaded again', async () => {
    for (const n of [1, 8, 22]) {
      await library.change(owner, documents[n]!, 'deleted_at = now()');
      documents[n] = await library.addDocument(owner, dataset, { texts: textsOf(n) });
    }
    expect(await answersOfAll(dataset)).toEqual(before);
  });

  it('does not change by a restart', async () => {
    for (const store of stores) {
      await store.close();
      await store.open();
    }
    expect(await answersOfAll(dataset)).toEqual(before);
  });
});

function foreignChunk(documentId: DocumentId, ordinal: number, text: string, vector: Float32Array): IndexedChunk {
  const terms = storeTerms(decodeTerms(encodeTerms(analyzeChunk({ text, title: 'foreign' }))));
  const facts = { documentId, documentName: 'foreign.txt', mediaType: 'text/plain', language: 'en', tags: [] };
  const metadata = { ...facts, createdAt: '2026-01-01T00:00:00.000Z', metadata: {} };
  return { chunkId: newId<ChunkId>(), documentId, ordinal, generation: '1', terms, vector, metadata };
}

/** A store that writes to each of several. */
function toAll(stores: () => readonly VectorStore[]): VectorStore {
  const target = {} as VectorStore;
  return new Proxy(target, {
    get:
      (_target, name: 'write' | 'ensureIndex') =>
      async (...call: Parameters<VectorStore['write']>) => {
        for (const store of stores()) await (store[name] as VectorStore['write'])(...call);
      },
  });
}
