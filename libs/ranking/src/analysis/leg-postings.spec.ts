import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish, type Steps } from '#libs/common';
import { KeywordScorer } from '../keyword.js';
import { measureEvidence } from '../evidence.js';
import { analyzeChunk } from './chunk-terms.js';
import { decodeTerms, encodeTerms, type EncodedTerms } from './encoded-terms.js';
import { LegPostings } from './leg-postings.js';
import { analyzeQuery } from './query-terms.js';
import { queryHashes } from './query-hashes.js';
import { LEGS, type Leg } from './term-hash.js';
import { summarizeTerms, TermStatistics } from './term-statistics.js';

const WORDS = ['pump', 'valves', 'Überdruck', 'v2.19.5', 'parseHttpHeader', '合同期限', 'สัญญา', 'насос', 'the', 'pump'];
const anyText = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' '));
const anyTerms = fc
  .record({ text: anyText, title: anyText })
  .map((input): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk(input))));
const someTerms = fc.array(anyTerms, { minLength: 1, maxLength: 8 });

const postingsOf = (chunks: readonly EncodedTerms[]): Record<Leg, LegPostings> =>
  byLeg((leg) => finish(LegPostings.of(chunks.map((chunk) => chunk[leg]))));
function byLeg<T>(make: (leg: Leg) => T): Record<Leg, T> {
  return { words: make('words'), grams: make('grams'), title: make('title') };
}
function statisticsOf(chunks: readonly EncodedTerms[]): TermStatistics {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(chunks));
  return statistics;
}
function scoresOf(scorer: KeywordScorer, postings: Record<Leg, LegPostings>): number[] {
  const scores = new Float64Array(postings.words.lengths.length);
  scorer.scoreAll(postings, scores);
  return [...scores];
}

describe('postings', () => {
  it('give every chunk the same bits as its own terms', () => {
    fc.assert(
      fc.property(someTerms, anyText, (chunks, question) => {
        const scorer = new KeywordScorer(analyzeQuery(question), statisticsOf(chunks));
        expect(scoresOf(scorer, postingsOf(chunks))).toEqual(chunks.map((chunk) => scorer.score(chunk)));
      }),
    );
  });

  it('are, merged from parts without the chunks that are left out, those of the chunks that are left', () => {
    fc.assert(
      fc.property(
        someTerms,
        someTerms,
        fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
        (first, second, keeps) => {
          const all = [...first, ...second];
          const kept = all.filter((_, n) => keeps[n]);
          const places = all.map((_, n) => (keeps[n] ? keeps.slice(0, n).filter(Boolean).length : -1));
          const merged = byLeg((leg) =>
            finish(
              LegPostings.merge(
                [
                  { postings: postingsOf(first)[leg], numbers: Int32Array.from(places.slice(0, first.length)) },
                  { postings: postingsOf(second)[leg], numbers: Int32Array.from(places.slice(first.length)) },
                ],
                kept.length,
              ),
            ),
          );
          expect(merged).toEqual(postingsOf(kept));
        },
      ),
    );
  });

  it('are made with a pause after some ten thousand of them, whatever there is of chunks and terms', () => {
    const COUNT = 2_000;
    const legs = Array.from({ length: COUNT }, (_, number) => ({
      hashes: Uint32Array.from({ length: 100 }, (_none, term) => 1 + term * 40_000 + (number % 50) * 7),
      frequencies: new Uint8Array(100).fill(1),
      length: 100,
    }));
    const postings = 100 * COUNT;
    const pausesOf = (steps: Steps<LegPostings>): number => {
      let pauses = 0;
      while (steps.next().done !== true) pauses += 1;
      return pauses;
    };
    // Written once, counted and dealt three times, split twice: each with a pause for every 16,384 postings and less than twice as many.
    const least = Math.floor(postings / 16_384) * 9;
    expect(pausesOf(LegPostings.of(legs))).toBeGreaterThanOrEqual(least);
    const part = { postings: finish(LegPostings.of(legs)), numbers: Int32Array.from(legs, (_, number) => number) };
    expect(pausesOf(LegPostings.merge([part], COUNT))).toBeGreaterThanOrEqual(least);
  });

  it('tell of one chunk what a query looks at', () => {
    fc.assert(
      fc.property(someTerms, anyText, (chunks, question) => {
        const query = analyzeQuery(question);
        const statistics = statisticsOf(chunks);
        const scorer = new KeywordScorer(query, statistics);
        const postings = postingsOf(chunks);
        const sought = queryHashes(query);
        chunks.forEach((chunk, number) => {
          const seen = byLeg((leg) => postings[leg].legOf(number, postings[leg].presentOf(sought[leg])));
          expect(scorer.explain(seen)).toEqual(scorer.explain(chunk));
          expect(measureEvidence(query, [seen], statistics)).toBe(measureEvidence(query, [chunk], statistics));
        });
      }),
    );
  });

  it('are as many as the statistics count', () => {
    fc.assert(
      fc.property(someTerms, (chunks) => {
        const statistics = statisticsOf(chunks);
        const postings = postingsOf(chunks);
        expect(statistics.postingCount).toBe(LEGS.reduce((sum, leg) => sum + postings[leg].numbers.length, 0));
        statistics.remove(summarizeTerms(chunks));
        expect(statistics.postingCount).toBe(0);
      }),
    );
  });
});
