import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk } from './analysis/chunk-terms.js';
import type { ChunkInput } from './analysis/chunk-terms.js';
import { decodeTerms, encodeTerms } from './analysis/encoded-terms.js';
import type { EncodedTerms } from './analysis/encoded-terms.js';
import { analyzeQuery } from './analysis/query-terms.js';
import { hashTerm } from './analysis/term-hash.js';
import { summarizeTerms, TermStatistics } from './analysis/term-statistics.js';
import { explainKeyword, KeywordScorer, scoreKeyword } from './keyword.js';

const encode = (input: ChunkInput): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk(input)));
function statisticsOf(chunks: readonly EncodedTerms[]): TermStatistics {
  const statistics = new TermStatistics();
  for (const chunk of chunks) statistics.add(summarizeTerms([chunk]));
  return statistics;
}
const sentence = fc
  .array(fc.constantFrom('wind', 'tunnels', 'the', 'flow', 'v2.1', '東京都', 'ветер', 'of'), { maxLength: 12 })
  .map((words) => words.join(' '));

describe('scoreKeyword', () => {
  it("computes Lucene's BM25", () => {
    const chunks = ['ox ox cow', 'ox', 'pig hen cow emu'].map((text) => encode({ text }));
    const statistics = statisticsOf(chunks);
    const [entry] = explainKeyword(analyzeQuery('ox'), chunks[0]!, statistics).filter(({ leg }) => leg === 'words');
    const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    expect(entry).toMatchObject({ term: 'ox', df: 2, tf: 2 });
    expect(entry!.score).toBeCloseTo((idf * 2) / (2 + 1.2 * (0.25 + (0.75 * 3) / (8 / 3))), 12);
  });

  it('counts a word as often as the question says it, as Lucene does', () => {
    const chunks = ['ox cow', 'hen emu', 'pig'].map((text) => encode({ text }));
    const scorer = new KeywordScorer(analyzeQuery('ox hen ox'), statisticsOf(chunks));
    const [twice, once] = [scorer.score(chunks[0]!), scorer.score(chunks[1]!)];
    expect(twice / once).toBeCloseTo(2, 12);
    const [entry] = scorer.explain(chunks[0]!).filter(({ leg, term }) => leg === 'words' && term === 'ox');
    expect(entry).toMatchObject({ count: 2, tf: 1, score: twice });
  });

  it('lies between 0 and its ceiling, is explained to the bit, and repeats itself', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), sentence, (texts, query) => {
        const chunks = texts.map((text) => encode({ text, title: text.slice(0, 5) }));
        const statistics = statisticsOf(chunks);
        const terms = analyzeQuery(query);
        const scorer = new KeywordScorer(terms, statistics);
        for (const chunk of chunks) {
          const score = scorer.score(chunk);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(scorer.ceiling);
          expect(scorer.explain(chunk).reduce((sum, entry) => sum + entry.score, 0)).toBe(score);
          expect(scoreKeyword(terms, chunk, statistics)).toBe(score);
        }
      }),
    );
  });

  it('lets a title speak for a chunk whose text does not hold the word', () => {
    const chunks = [
      encode({ text: 'total of all items', title: 'invoice-2024' }),
      encode({ text: 'total of all items' }),
    ];
    const scorer = new KeywordScorer(analyzeQuery('invoice'), statisticsOf(chunks));
    expect(scorer.score(chunks[0]!)).toBeGreaterThan(0);
    expect(scorer.score(chunks[1]!)).toBe(0);
  });

  it('finds inflected words of a language without a stemmer', () => {
    const chunks = ['Скорость ветра измеряется', 'Столица страны находится здесь'].map((text) => encode({ text }));
    const scorer = new KeywordScorer(analyzeQuery('измерение скорости'), statisticsOf(chunks));
    expect(scorer.score(chunks[0]!)).toBeGreaterThan(scorer.score(chunks[1]!));
  });

  it('does not become negative when a term is in every chunk', () => {
    const chunks = ['wind', 'wind'].map((text) => encode({ text }));
    expect(scoreKeyword(analyzeQuery('wind'), chunks[0]!, statisticsOf(chunks))).toBeGreaterThan(0);
    expect(statisticsOf(chunks).df(hashTerm('words', 'wind'))).toBe(2);
  });
});
