import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId, type DocumentId } from '#libs/common';
import { matchesFilter, type ChunkMetadata, type Filter } from '../filter.js';
import type { IndexedChunk } from '../vector-store.port.js';
import { buildChunk, buildMetadata, newIndex, words } from './chunk-builder.js';
import { idOf, sorted, type Suite } from './conformance-suite.js';
import { anyFilter, anyMetadata } from './filter-arbitraries.js';

/** Searching by terms. */
export function describeKeywords({ store, filled, found }: Suite): void {
  it.each([
    ['Chinese', '知识库'],
    ['Arabic', 'المعرفة'],
    ['Thai', 'ความรู้'],
    ['a combining accent', 'e\u0301te\u0301'],
    ['emoji', '👩‍👩‍👧'],
    ['punctuation', 'c++'],
    ['a query operator', 'AND'],
    ['a wildcard', 'alph*'],
    ['quotes', `"it's"`],
    ['a field prefix', 'title:alpha'],
    ['64 letters', 'x'.repeat(64)],
    ['64 emoji', '😀'.repeat(64)],
    ['a stop word', 'the'],
  ])('finds a term of %s exactly', async (_what, term) => {
    const chunk = buildChunk({ terms: { words: ['before', term, 'after'] } });
    const index = await filled(chunk, buildChunk());
    expect(await found(index, term)).toEqual([chunk.chunkId]);
    expect(await found(index, `${term}x`)).toEqual([]);
  });

  it('tells case and accents apart, and does not stem', async () => {
    const index = await filled(buildChunk({ terms: { words: ['Straße', 'été', 'running'] } }));
    for (const term of ['straße', 'Strasse', 'ete', 'run']) expect(await found(index, term)).toEqual([]);
  });

  it('finds by words, grams and title, each in its own leg', async () => {
    const byWord = buildChunk({ terms: { words: ['needle'] } });
    const byGram = buildChunk({ terms: { words: [], grams: ['need'] } });
    const byTitle = buildChunk({ terms: { words: [], title: ['needle'] } });
    const index = await filled(byWord, byGram, byTitle);
    const search = async (terms: Parameters<typeof words>, grams: string[], title: string[]): Promise<string[]> =>
      (await store().searchKeyword([index], { terms: { words: terms, grams, title }, limit: 5 }))
        .map((hit) => hit.chunkId)
        .sort();
    expect(await search(['needle'], [], [])).toEqual([byWord.chunkId]);
    const grams = store().capabilities.proposesByGrams === false ? [] : [byGram.chunkId];
    expect(await search([], ['need'], [])).toEqual(grams);
    expect(await search([], [], ['needle'])).toEqual([byTitle.chunkId]);
    expect(await search(['needle'], ['need'], ['needle'])).toEqual([byWord.chunkId, ...grams, byTitle.chunkId].sort());
  });

  it('ranks a row with more of the asked terms first', async () => {
    const fillers = Array.from({ length: 20 }, () => buildChunk({ terms: { words: ['common', 'filler'] } }));
    const best = buildChunk({ terms: { words: ['common', 'rare', 'rarer'] } });
    const index = await filled(...fillers, best);
    expect((await found(index, 'common', 'rare', 'rarer'))[0]).toBe(best.chunkId);
  });

  it('takes 500 terms, repeated ones as one, and none', async () => {
    const chunk = buildChunk({ terms: { words: ['term499'] } });
    const index = await filled(chunk, buildChunk());
    const many = Array.from({ length: 500 }, (_, n) => `term${n}`);
    expect(await found(index, ...many)).toEqual([chunk.chunkId]);
    expect(await found(index, ...many.slice(498), ...many.slice(498))).toEqual([chunk.chunkId]);
    expect(await found(index)).toEqual([]);
  });

  it('gives at most the limit from one leg, each row once', async () => {
    const chunks = Array.from({ length: 30 }, () => buildChunk({ terms: { title: ['alpha'] } }));
    const index = await filled(...chunks);
    expect(await store().searchKeyword([index], { terms: words('alpha'), limit: 7 })).toHaveLength(7);
    const hits = await store().searchKeyword([index], {
      terms: { words: ['alpha'], grams: [], title: ['alpha'] },
      limit: 50,
    });
    expect(sorted(hits)).toEqual(sorted(chunks));
  });

  it('searches several indexes together, and only those asked', async () => {
    const [one, two, three] = [buildChunk(), buildChunk(), buildChunk()];
    const indexes = [await filled(one), await filled(two), await filled(three)];
    const asked = [indexes[0]!, indexes[1]!, indexes[1]!, newIndex()];
    const byWord = await store().searchKeyword(asked, { terms: words('alpha'), limit: 10 });
    expect(sorted(byWord)).toEqual(sorted([one, two]));
    const byVector = await store().searchVector(asked, { vector: one.vector, limit: 10 });
    expect(sorted(byVector)).toEqual(sorted([one, two]));
  });
}

/** Searching by vector. */
export function describeVectors({ store, filled }: Suite): void {
  it('orders by cosine similarity, whatever the length of the vectors', async () => {
    const near = buildChunk({ vector: Float32Array.of(10, 1, 0, 0) });
    const far = buildChunk({ vector: Float32Array.of(0, 1, 0, 0) });
    const opposite = buildChunk({ vector: Float32Array.of(-0.5, 0, 0, 0) });
    const index = await filled(opposite, far, near);
    const hits = await store().searchVector([index], { vector: Float32Array.of(2, 0, 0, 0), limit: 10 });
    expect(hits.map(idOf)).toEqual([near, far, opposite].map(idOf));
    expect(hits[0]!.score).toBeCloseTo(10 / Math.sqrt(101), 4);
    expect(hits[1]!.score).toBeCloseTo(0, 4);
    expect(hits[2]!.score).toBeCloseTo(-1, 4);
  });

  it('stores a vector of zeros, finds it by words, and never by vector', async () => {
    const zero = buildChunk({ vector: new Float32Array(4) });
    const other = buildChunk({ vector: Float32Array.of(-1, 0, 0, 0) });
    const index = await filled(zero, other);
    expect(await store().searchKeyword([index], { terms: words('alpha'), limit: 5 })).toHaveLength(2);
    const hits = await store().searchVector([index], { vector: Float32Array.of(1, 0, 0, 0), limit: 5 });
    expect(hits.map(idOf)).toEqual([idOf(other)]);
    expect(await store().searchVector([index], { vector: new Float32Array(4), limit: 5 })).toEqual([]);
  });

  it('refuses a query vector of another length', async () => {
    const index = await filled(buildChunk());
    await expect(store().searchVector([index], { vector: Float32Array.of(1), limit: 5 })).rejects.toMatchObject({
      code: 'vector_store.schema_mismatch',
    });
  });

  it('finds the same rows as comparing all of them, and fewer results are a prefix of more', async () => {
    const spread = (n: number): number =>
      Math.sin(n * 12.9898) * 43758.5453 - Math.floor(Math.sin(n * 12.9898) * 43758.5453);
    const vectorOf = (n: number): Float32Array => Float32Array.from([0, 1, 2, 3], (i) => spread(n * 4 + i) - 0.5);
    const chunks = Array.from({ length: 400 }, (_, n) => buildChunk({ vector: vectorOf(n) }));
    const index = await filled(...chunks);
    const query = Float32Array.of(0.3, -0.2, 0.9, 0.1);
    const hits = await store().searchVector([index], { vector: query, limit: 50 });
    const expected = chunks
      .map((chunk) => ({ chunk, score: cosine(chunk.vector, query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 50);
    expect(hits.map((hit) => hit.chunkId)).toEqual(expected.map(({ chunk }) => chunk.chunkId));
    expect(await store().searchVector([index], { vector: query, limit: 20 })).toEqual(hits.slice(0, 20));
  });

  it('breaks ties by chunk id, also at the limit, and repeats itself', async () => {
    const chunks = Array.from({ length: 40 }, () => buildChunk());
    const index = await filled(...[...chunks].reverse());
    const hits = await store().searchVector([index], { vector: Float32Array.of(1, 0, 0, 0), limit: 10 });
    expect(hits.map((hit) => hit.chunkId)).toEqual(
      chunks
        .map((chunk) => chunk.chunkId)
        .sort()
        .slice(0, 10),
    );
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Filters and the metadata they see. */
export function describeFilters({ store, filled }: Suite): void {
  it('answers filters as matchesFilter does, in both searches', async () => {
    const documents = fc.sample(anyMetadata, { numRuns: 60, seed: 7 });
    const chunks = documents.map((metadata) => buildChunk({ documentId: metadata.documentId, metadata }));
    const index = await filled(...chunks);
    await fc.assert(
      fc.asyncProperty(anyFilter, async (filter) => {
        const expected = sorted(chunks.filter((chunk) => matchesFilter(filter, chunk.metadata)));
        const byWord = await store().searchKeyword([index], { terms: words('alpha'), limit: 100, filter });
        expect(sorted(byWord)).toEqual(expected);
        const byVector = await store().searchVector([index], {
          vector: Float32Array.of(1, 0, 0, 0),
          limit: 100,
          filter,
        });
        expect(sorted(byVector)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('finds a list without members by exists, and not what is null or absent', async () => {
    const of = (metadata: ChunkMetadata['metadata']): IndexedChunk =>
      buildChunk({ metadata: buildMetadata({ tags: [], metadata }) });
    const [empty, filled_, nothing, absent] = [of({ key: [] }), of({ key: ['a'] }), of({ key: null }), of({})];
    const index = await filled(empty, filled_, nothing, absent);
    const found = async (filter: Filter): Promise<string[]> =>
      sorted(await store().searchKeyword([index], { terms: words('alpha'), limit: 10, filter }));
    expect(await found({ type: 'exists', key: 'metadata.key' })).toEqual(sorted([empty, filled_]));
    expect(await found({ type: 'exists', key: 'metadata.key', value: false })).toEqual(sorted([nothing, absent]));
    expect(await found({ type: 'eq', key: 'metadata.key', value: 'a' })).toEqual(sorted([filled_]));
    expect(await found({ type: 'exists', key: 'tags' })).toEqual(sorted([empty, filled_, nothing, absent]));
  });

  it('finds the files of an archive by its id and by their paths, and no document beside them', async () => {
    const [archive, other] = [newId<DocumentId>(), newId<DocumentId>()];
    const of = (metadata: Partial<ChunkMetadata>): IndexedChunk => buildChunk({ metadata: buildMetadata(metadata) });
    const first = of({ archiveId: archive, path: 'pumps/README.md' });
    const second = of({ archiveId: archive, path: 'fans/README.md' });
    const [elsewhere, alone] = [of({ archiveId: other, path: 'pumps/x.md' }), of({})];
    const index = await filled(first, second, elsewhere, alone);
    const vector = Float32Array.of(1, 0, 0, 0);
    const found = async (filter: Filter): Promise<string[]> => {
      const byWord = sorted(await store().searchKeyword([index], { terms: words('alpha'), limit: 10, filter }));
      expect(sorted(await store().searchVector([index], { vector, limit: 10, filter }))).toEqual(byWord);
      return byWord;
    };
    const both: Filter = { type: 'eq', key: 'archive_id', value: archive };
    const inPumps: Filter = { type: 'starts_with', key: 'path', value: 'pumps/' };
    expect(await found(both)).toEqual(sorted([first, second]));
    expect(await found({ ...both, type: 'ne' })).toEqual(sorted([elsewhere, alone]));
    expect(await found({ type: 'in', key: 'archive_id', value: [archive, other] })).toEqual(
      sorted([first, second, elsewhere]),
    );
    expect(await found({ type: 'nin', key: 'archive_id', value: [other] })).toEqual(sorted([first, second, alone]));
    expect(await found({ type: 'exists', key: 'archive_id', value: false })).toEqual(sorted([alone]));
    expect(await found({ type: 'and', filters: [both, inPumps] })).toEqual(sorted([first]));
    expect(await found({ type: 'not', filters: [both] })).toEqual(sorted([elsewhere, alone]));
    const either: Filter = { type: 'or', filters: [{ type: 'eq', key: 'document_id', value: archive }, both] };
    expect(await found(either)).toEqual(sorted([first, second]));
  });

  it('applies the filter before the limit', async () => {
    const wanted = buildMetadata({ tags: ['wanted'] });
    const chunk = buildChunk({ metadata: wanted, terms: { words: ['alpha', 'noise', 'noise'] } });
    const better = Array.from({ length: 50 }, () => buildChunk());
    const index = await filled(...better, chunk);
    const filter = { type: 'eq', key: 'tags', value: 'wanted' } as const;
    const hits = await store().searchKeyword([index], { terms: words('alpha'), limit: 1, filter });
    expect(hits.map(idOf)).toEqual([idOf(chunk)]);
  });

  it('filters by changed metadata at once, for all rows of the document and no other', async () => {
    const [changed, other] = [buildMetadata({ tags: ['old'] }), buildMetadata({ tags: ['old'] })];
    const rows = [
      buildChunk({ metadata: changed }),
      buildChunk({ metadata: changed, generation: '2' }),
      buildChunk({ metadata: other }),
    ];
    const index = await filled(...rows);
    await store().updateMetadata(index, changed.documentId, { ...changed, tags: ['new'], metadata: { year: 2026 } });
    const tagged = async (value: string): Promise<string[]> =>
      sorted(
        await store().searchKeyword([index], {
          terms: words('alpha'),
          limit: 10,
          filter: { type: 'eq', key: 'tags', value },
        }),
      );
    expect(await tagged('new')).toEqual(sorted(rows.slice(0, 2)));
    expect(await tagged('old')).toEqual(sorted(rows.slice(2)));
    expect(await store().count(index)).toBe(3);
  });

  it('leaves a document without rows alone when its metadata change', async () => {
    const index = await filled(buildChunk());
    const stranger = buildMetadata();
    await store().updateMetadata(index, stranger.documentId, stranger);
    await store().updateMetadata(newIndex(), stranger.documentId, stranger);
    expect(await store().count(index)).toBe(1);
  });
}
