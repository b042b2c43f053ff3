import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, type ChunkId, type ChunkSetId, type DocumentId } from '#libs/common';
import {
  analyzeChunk,
  analyzeQuery,
  compareScored,
  decodeTerms,
  encodeTerms,
  KeywordScorer,
  queryHashes,
  summarizeTerms,
  TermStatistics,
} from '#libs/ranking';
import type { ShownSet } from '../rows/retrieval-rows.js';
import { DatasetPostings } from './dataset-postings.js';
import { PostingScores } from './posting-scores.js';
import type { LoadedChunk } from './posting-segment.js';

const WORDS = ['pump', 'valve', 'seal', 'gauge', '合同期限', 'invoice', 'the'];
const QUERY = analyzeQuery('the pump of the valve 合同');
const DOCUMENTS = Array.from({ length: 6 }, () => newId<DocumentId>());

/** What a document shows from now on: the words of its chunks; null when it goes out of sight. */
interface Step {
  readonly document: number;
  readonly chunks: readonly (readonly string[])[] | null;
}
const anyStep = fc.record({
  document: fc.nat(DOCUMENTS.length - 1),
  chunks: fc.option(fc.array(fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }), { maxLength: 4 }), { nil: null }),
});

/** The truth: the chunks that each document shows. */
class Library {
  readonly shown = new Map<DocumentId, { readonly set: ChunkSetId; readonly chunks: readonly LoadedChunk[] }>();

  take({ document, chunks }: Step): void {
    const documentId = DOCUMENTS[document]!;
    const set = newId<ChunkSetId>();
    if (chunks === null) this.shown.delete(documentId);
    else this.shown.set(documentId, { set, chunks: chunks.map((words, n) => chunkOf(documentId, set, n, words)) });
  }

  get chunks(): LoadedChunk[] {
    return [...this.shown.values()].flatMap(({ chunks }) => chunks);
  }

  get counted(): Map<DocumentId, ShownSet> {
    const facts = { generation: '1', changedAt: 1n, attempt: 1, language: null };
    return new Map([...this.shown].map(([id, { set }]) => [id, { set, ...facts }]));
  }

  async *read(sets: ReadonlyMap<DocumentId, ChunkSetId>): AsyncGenerator<readonly LoadedChunk[]> {
    for (const document of sets.keys()) yield this.shown.get(document)!.chunks;
  }
}

function chunkOf(
  documentId: DocumentId,
  chunkSetId: ChunkSetId,
  ordinal: number,
  words: readonly string[],
): LoadedChunk {
  const terms = decodeTerms(encodeTerms(analyzeChunk({ text: words.join(' '), title: words[0] ?? '' })));
  return { id: newId<ChunkId>(), documentId, chunkSetId, ordinal, terms };
}

async function bring(postings: DatasetPostings, library: Library): Promise<void> {
  const change = postings.changeTo(library.counted);
  postings.apply(await postings.prepare(change, library.read(change.added)));
}

function scorerOf(chunks: readonly LoadedChunk[]): KeywordScorer {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(chunks.map(({ terms }) => terms)));
  return new KeywordScorer(QUERY, statistics);
}

function expected(chunks: readonly LoadedChunk[], scorer: KeywordScorer, limit: number): unknown[] {
  return chunks
    .map((item) => ({ item, score: scorer.score(item.terms) }))
    .filter(({ score }) => score > 0)
    .sort(compareScored)
    .slice(0, limit)
    .map(({ item, score }) => ({ chunkId: item.id, documentId: item.documentId, generation: '1', score }));
}

describe('postings of a dataset', () => {
  it('rank exactly what is shown, after every change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        async (changes, limit) => {
          const postings = new DatasetPostings();
          const library = new Library();
          for (const steps of changes) {
            for (const step of steps) library.take(step);
            await bring(postings, library);
            const scorer = scorerOf(library.chunks);
            const scores = new PostingScores(postings, library.counted, scorer, queryHashes(QUERY));
            expect(scores.best(limit)).toEqual(expected(library.chunks, scorer, limit));
            for (const chunk of library.chunks) {
              const found = scores.find(chunk.id)!;
              expect(found.score).toBe(scorer.score(chunk.terms));
              expect(found.chunk).toMatchObject({ ordinal: chunk.ordinal, chunkSetId: chunk.chunkSetId });
              expect(scorer.explain(found.terms())).toEqual(scorer.explain(chunk.terms));
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('do not grow in segments with the number of changes', async () => {
    const postings = new DatasetPostings();
    const library = new Library();
    let most = 0;
    for (let n = 0; n < 200; n += 1) {
      const document = newId<DocumentId>();
      const set = newId<ChunkSetId>();
      library.shown.set(document, { set, chunks: [chunkOf(document, set, 0, ['pump'])] });
      await bring(postings, library);
      most = Math.max(most, postings.segments.length);
    }
    expect(most).toBeLessThanOrEqual(8);
    for (const document of [...library.shown.keys()].slice(5)) library.shown.delete(document);
    await bring(postings, library);
    expect(postings.segments.reduce((sum, { chunks }) => sum + chunks.length, 0)).toBeLessThanOrEqual(10);
  });

  it('give a search that began before a change no new scores', async () => {
    const postings = new DatasetPostings();
    const library = new Library();
    library.take({ document: 0, chunks: [['pump'], ['valve']] });
    await bring(postings, library);
    const scorer = scorerOf(library.chunks);
    const before = new PostingScores(postings, library.counted, scorer, queryHashes(QUERY));
    const [first] = library.chunks;
    library.take({ document: 1, chunks: [['pump']] });
    await bring(postings, library);
    const fresh = library.chunks.at(-1)!;
    expect(before.find(fresh.id)).toBeUndefined();
    // Its postings may have moved; then its own terms are asked.
    expect(before.find(first!.id)?.score ?? scorer.score(first!.terms)).toBe(scorer.score(first!.terms));
    expect(before.best(10).map(({ chunkId }) => chunkId)).not.toContain(fresh.id);
  });
});
