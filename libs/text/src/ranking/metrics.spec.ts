import { describe, expect, it } from 'vitest';
import { averagePrecisionAt, ndcgAt, recallAt, reciprocalRankAt } from './metrics.js';

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
