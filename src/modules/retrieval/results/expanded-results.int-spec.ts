import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import type { RetrievedChunk } from './retrieval-outcome.js';
import type { RetrievalService } from '../search/retrieval.service.js';
import { toSearchResponse } from './search-views.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, type RetrievalModels } from '../testing/retrieval-services.js';

const TEXTS = [
  'The engine hall lies behind the gate.',
  'A pump stands there; the pump is blue.',
  'It was bought in 1999 from a dealer.',
  'The dealer sold a valve as well.',
  'Nobody remembers the price of the pump.',
  'Gauges hang on every wall.',
];
const CANONICAL = TEXTS.join('\n\n');

describe('results with the text around them', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
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
    const store = new MemoryVectorStore();
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    retrieval = createRetrieval(db.unitOfWork, store, models);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
  });

  const search = async (
    query: string,
    options: SearchOptionsDto & { top_k?: number },
  ): Promise<readonly RetrievedChunk[]> => {
    const request = { query, dataset_ids: [dataset], search_method: 'keyword' as const, ...options };
    const outcome = await retrieval.retrieve(owner.ctx, request);
    for (const { text, start, end } of outcome.results) expect(text).toBe(CANONICAL.slice(start, end));
    return outcome.results;
  };
  const joined = (from: number, to: number): string => TEXTS.slice(from, to + 1).join('\n\n');

  it('are the chunks before and after with "neighbours", at the ends of the document as far as there are any', async () => {
    await library.addDocument(owner, dataset, { texts: TEXTS });
    const [middle] = await search('dealer bought 1999', { expand: 'neighbours', top_k: 1 });
    expect(middle).toMatchObject({ ordinal: 2, text: joined(1, 3) });
    const [last] = await search('gauges wall', { expand: 'neighbours', top_k: 1 });
    expect(last).toMatchObject({ ordinal: 5, text: joined(4, 5) });
  });

  it('are the parent with "parent", and the chunk itself where it has none', async () => {
    const id = await library.addDocument(owner, dataset, { texts: TEXTS, chunksPerParent: 3 });
    const [result] = await search('gauges wall', { expand: 'parent', top_k: 1 });
    expect(result!.text).toBe(joined(3, 5));
    await library.showTexts(owner, id, TEXTS);
    expect((await search('gauges wall', { expand: 'parent', top_k: 1 }))[0]!.text).toBe(TEXTS[5]);
  });

  it('are marked by offsets of the canonical text, also in what is around the chunk', async () => {
    await library.addDocument(owner, dataset, { texts: TEXTS });
    const request = { query: 'bought dealer valve', dataset_ids: [dataset], expand: 'neighbours' as const, top_k: 1 };
    const response = toSearchResponse('r', await retrieval.retrieve(owner.ctx, request));
    const [result] = response.results;
    expect(result!.text).toBe(CANONICAL.slice(result!.position.char_start, result!.position.char_end));
    expect(result!.highlights!.length).toBeGreaterThan(1);
    for (const { text, char_start, char_end, matches } of result!.highlights!) {
      expect(text).toBe(CANONICAL.slice(char_start, char_end));
      for (const match of matches) expect(text).toContain(CANONICAL.slice(match.char_start, match.char_end));
    }
  });

  it.each(['neighbours', 'parent'] as const)(
    'are a prefix for a smaller top_k, and complete, with "%s"',
    async (expand) => {
      await library.addDocument(owner, dataset, { texts: TEXTS, chunksPerParent: 2 });
      const query = 'pump valve gauges dealer gate price';
      const all = await search(query, { expand, top_k: 6 });
      expect(all.length).toBeLessThan(TEXTS.length);
      for (let top_k = 1; top_k < all.length; top_k += 1) {
        expect(await search(query, { expand, top_k })).toEqual(all.slice(0, top_k));
      }
      for (const { start, end } of await search(query, { top_k: 6 })) {
        expect(all.some((result) => result.start <= start && result.end >= end)).toBe(true);
      }
    },
  );

  it('go on with the next best where a better result shows a chunk already', async () => {
    await library.addDocument(owner, dataset, { texts: TEXTS });
    const plain = await search('pump blue bought dealer gauges', { top_k: 6 });
    const [first, second] = await search('pump blue bought dealer gauges', { expand: 'neighbours', top_k: 2 });
    expect(new Set(plain.slice(0, 2).map(({ ordinal }) => ordinal))).toEqual(new Set([1, 2]));
    expect(first!.ordinal).toBe(plain[0]!.ordinal);
    expect([1, 2]).not.toContain(second!.ordinal);
    expect(second!.start >= first!.end || second!.end <= first!.start).toBe(true);
  });

  it('work together with diversity and with reranking', async () => {
    await library.addDocument(owner, dataset, { texts: TEXTS });
    for (const options of [{ mmr: { lambda: 0.5 } }, { rerank: { top_n: 5 } }]) {
      const all = await search('pump dealer valve', {
        expand: 'neighbours',
        search_method: 'hybrid',
        top_k: 4,
        ...options,
      });
      const fewer = await search('pump dealer valve', {
        expand: 'neighbours',
        search_method: 'hybrid',
        top_k: 1,
        ...options,
      });
      expect(fewer).toEqual(all.slice(0, 1));
    }
  });
});
