import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { averagePrecisionAt, hitRateAt, ndcgAt, precisionAt, recallAt, reciprocalRankAt } from './metrics.js';

const relevant = new Map([
  ['a', 1],
  ['b', 3],
  ['z', 1],
]);

describe('retrieval metrics', () => {
  it('agree with values computed by hand', () => {
    const ranked = ['x', 'a', 'b', 'y'];
    expect(ndcgAt(ranked, relevant, 10)).toBeCloseTo((1 / Math.log2(3) + 3 / 2) / (3 + 1 / Math.log2(3) + 1 / 2), 12);
    expect(averagePrecisionAt(ranked, relevant, 10)).toBeCloseTo((1 / 2 + 2 / 3) / 3, 12);
    expect(recallAt(ranked, relevant, 2)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRankAt(ranked, relevant, 10)).toBe(0.5);
    expect(reciprocalRankAt(ranked, relevant, 1)).toBe(0);
  });

  it('are 1 for the ideal ranking and 0 when nothing is relevant', () => {
    expect(ndcgAt(['b', 'a', 'z'], relevant, 10)).toBe(1);
    expect(averagePrecisionAt(['b', 'a', 'z'], relevant, 10)).toBe(1);
    for (const metric of [ndcgAt, averagePrecisionAt, recallAt, reciprocalRankAt])
      expect(metric(['a'], new Map(), 10)).toBe(0);
  });
});

interface TrecCase {
  readonly grades: Record<string, number>;
  readonly scores: Record<string, number>;
  readonly figures: Record<'hit_rate' | 'recall' | 'precision' | 'map' | 'ndcg', Record<string, number>> & {
    readonly mrr: number;
  };
}

describe('retrieval metrics beside trec_eval', () => {
  const { cuts, cases } = JSON.parse(
    readFileSync(new URL('../../../../test/fixtures/trec-figures.json', import.meta.url), 'utf8'),
  ) as {
    cuts: number[];
    cases: TrecCase[];
  };
  const AT = { hit_rate: hitRateAt, recall: recallAt, precision: precisionAt, map: averagePrecisionAt, ndcg: ndcgAt };

  it('agree on generated rankings with ties, grades, missing and unjudged documents', () => {
    expect(cases.length).toBeGreaterThan(30);
    for (const { grades, scores, figures } of cases) {
      const ranked = Object.keys(scores).sort((a, b) => scores[b]! - scores[a]! || (a < b ? 1 : -1));
      const judged = new Map(Object.entries(grades));
      for (const [name, metric] of Object.entries(AT))
        for (const k of cuts)
          expect(
            Math.abs(metric(ranked, judged, k) - figures[name as keyof typeof AT][String(k)]!),
            `${name}@${k}`,
          ).toBeLessThan(1e-9);
      expect(Math.abs(reciprocalRankAt(ranked, judged, ranked.length) - figures.mrr)).toBeLessThan(1e-9);
    }
  });
});
