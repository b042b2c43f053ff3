import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '#libs/common';
import { analyzeChunk } from './chunk-terms.js';
import { decodeTerms, encodeTerms } from './encoded-terms.js';
import type { EncodedTerms } from './encoded-terms.js';
import { hashTerm, LEGS } from './term-hash.js';
import { summarizeTerms, TermStatistics } from './term-statistics.js';
import type { StatisticsView } from './term-statistics.js';

const VOCABULARY = ['wind', 'tunnel', 'flow', 'plate', 'shock', 'layer', '東京', 'v2.1'];
const chunkOf = (words: readonly string[]): EncodedTerms =>
  decodeTerms(encodeTerms(analyzeChunk({ text: words.join(' '), title: words[0] ?? '' })));
const documents = fc.array(
  fc.array(fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 9 }).map(chunkOf), { maxLength: 4 }),
  {
    maxLength: 8,
  },
);

/** All that can be observed of statistics. */
function observe(statistics: StatisticsView): unknown {
  const hashes = VOCABULARY.flatMap((word) =>
    LEGS.flatMap((leg) => analyzeChunk({ text: word }).words.map((term) => hashTerm(leg, term))),
  );
  const grams = VOCABULARY.flatMap((word) => analyzeChunk({ text: word }).grams.map((term) => hashTerm('grams', term)));
  return [
    statistics.chunkCount,
    LEGS.map((leg) => statistics.averageLength(leg)),
    [...hashes, ...grams].map((hash) => statistics.df(hash)),
  ];
}

function statisticsOf(summaries: readonly Uint8Array[]): TermStatistics {
  const statistics = new TermStatistics();
  for (const summary of summaries) statistics.add(summary);
  return statistics;
}

describe('TermStatistics', () => {
  it('reads what was written before, with hashes of four bytes', () => {
    // Two chunks, lengths of the legs, two hashes, of which the second is in both chunks.
    const before = Uint8Array.of(1, 2, 5, 6, 7, 2, 1, 1, 2, 9, 0, 0, 1, 9, 0, 0, 2);
    const statistics = statisticsOf([before]);
    expect([0x0100_0009, 0x0200_0009, 9].map((hash) => statistics.df(hash))).toEqual([1, 2, 0]);
    expect(LEGS.map((leg) => statistics.averageLength(leg))).toEqual([2.5, 3, 3.5]);
    statistics.remove(before);
    expect(statistics.chunkCount).toBe(0);
  });

  it('counts the chunks that hold a term, once each', () => {
    const statistics = statisticsOf([
      summarizeTerms([chunkOf(['wind', 'wind']), chunkOf(['wind', 'flow'])]),
      summarizeTerms([chunkOf(['flow'])]),
    ]);
    expect(statistics.chunkCount).toBe(3);
    expect(statistics.df(hashTerm('words', 'wind'))).toBe(2);
    expect(statistics.df(hashTerm('words', 'flow'))).toBe(2);
    expect(statistics.df(hashTerm('words', 'shock'))).toBe(0);
    expect(statistics.averageLength('words')).toBeCloseTo(5 / 3, 12);
  });

  it('is after any removals what it would be had the rest alone been added, in any order', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (chunks, stays) => {
        const summaries = chunks.map(summarizeTerms);
        const statistics = statisticsOf(summaries);
        summaries.forEach((summary, index) => {
          if (!stays[index]) statistics.remove(summary);
        });
        expect(observe(statistics)).toEqual(
          observe(statisticsOf(summaries.filter((_, index) => stays[index]).reverse())),
        );
      }),
    );
  });

  it('combines datasets as if they were one', () => {
    fc.assert(
      fc.property(documents, documents, (left, right) => {
        const a = left.map(summarizeTerms);
        const b = right.map(summarizeTerms);
        const combined = TermStatistics.combine([statisticsOf(a), statisticsOf(b)]);
        expect(observe(combined)).toEqual(observe(statisticsOf([...a, ...b])));
      }),
    );
  });

  it('refuses to take back what it never held, and stays as it was', () => {
    const held = summarizeTerms([chunkOf(['wind']), chunkOf(['flow'])]);
    const statistics = statisticsOf([held]);
    const before = observe(statistics);
    expect(() => statistics.remove(summarizeTerms([chunkOf(['shock'])]))).toThrow(RangeError);
    expect(observe(statistics)).toEqual(before);
    statistics.remove(held);
    expect(() => statistics.remove(held)).toThrow(RangeError);
    expect(statistics.averageLength('words')).toBe(0);
  });

  it('grows and shrinks with many terms without losing one', () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => `n${index}`);
    const parts = Array.from({ length: 10 }, (_, part) =>
      summarizeTerms([chunkOf(numbers.slice(part * 500, part * 500 + 500))]),
    );
    const statistics = statisticsOf(parts);
    expect(numbers.every((word) => statistics.df(hashTerm('words', word)) === 1)).toBe(true);
    for (const part of parts.slice(1)) statistics.remove(part);
    expect(numbers.map((word) => statistics.df(hashTerm('words', word)))).toEqual(
      numbers.map((_, index) => (index < 500 ? 1 : 0)),
    );
  });

  it('are made again from what they count, and follow further documents as before', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const statistics = statisticsOf(before.map(summarizeTerms));
        const again = finish(TermStatistics.of(statistics.entries()));
        for (const one of [statistics, again]) for (const document of after) one.add(summarizeTerms(document));
        expect(observe(again)).toEqual(observe(statistics));
        expect([again.postingCount, again.termCount]).toEqual([statistics.postingCount, statistics.termCount]);
      }),
    );
  });
});
