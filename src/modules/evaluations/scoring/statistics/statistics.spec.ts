import { describe, expect, it } from 'vitest';
import { bootstrapInterval, meanOf } from './bootstrap.js';
import { normalQuantile, normalShare, studentQuantile } from './normal.js';
import { holmAdjusted, pairedPermutationTest, smallestDetectableDifference } from './paired-test.js';
import { seededRandom, type RandomSource } from './seeded-random.js';

const RUNS = 1_000;
/** Values as metrics have them, with their true mean: shares of hits, reciprocal ranks, grades bent towards 1. */
const DISTRIBUTIONS: Record<string, { mean: number; draw: (random: RandomSource) => number }> = {
  'hits, 7 of 10': { mean: 0.7, draw: (random) => (random() < 0.7 ? 1 : 0) },
  'reciprocal ranks': {
    mean: 0.5 + 0.2 / 2 + 0.1 / 3 + 0.1 / 10,
    draw: (random) => {
      const share = random();
      return share < 0.5 ? 1 : share < 0.7 ? 1 / 2 : share < 0.8 ? 1 / 3 : share < 0.9 ? 1 / 10 : 0;
    },
  },
  'the root of a share': { mean: 2 / 3, draw: (random) => Math.sqrt(random()) },
};

function coverage(count: number, { mean, draw }: (typeof DISTRIBUTIONS)[string]): number {
  const random = seededRandom(`coverage of ${count}`);
  let held = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const values = Array.from({ length: count }, () => draw(random));
    const interval = bootstrapInterval(values, { seed: `run ${run}`, resamples: 1_000, bounds: { low: 0, high: 1 } })!;
    if (interval.low <= mean && mean <= interval.high) held += 1;
  }
  return held / RUNS;
}

describe('the normal distribution', () => {
  it('agrees with printed tables', () => {
    for (const [share, z] of [
      [0.5, 0],
      [0.975, 1.959963985],
      [0.8, 0.841621234],
      [0.01, -2.326347874],
    ] as const) {
      expect(normalQuantile(share)).toBeCloseTo(z, 7);
      expect(normalShare(z)).toBeCloseTo(share, 6);
    }
    expect(studentQuantile(1.959963985, 29)).toBeCloseTo(2.045, 2);
    expect(() => normalQuantile(1.1)).toThrow(RangeError);
  });
});

describe('the bootstrap interval of a mean', () => {
  it.each(Object.keys(DISTRIBUTIONS))('holds the true mean of %s in 95 of 100 runs', (name) => {
    const distribution = DISTRIBUTIONS[name]!;
    const of100 = coverage(100, distribution);
    expect(of100).toBeGreaterThanOrEqual(0.93);
    expect(of100).toBeLessThanOrEqual(0.97);
    expect(coverage(30, distribution)).toBeGreaterThanOrEqual(0.92);
  });

  it('is the same for the same seed, holds the mean and stays within the values', () => {
    const values = Array.from({ length: 40 }, (_, index) => (index * 7) % 11);
    const interval = bootstrapInterval(values, { seed: 'a' })!;
    expect(bootstrapInterval(values, { seed: 'a' })).toEqual(interval);
    expect(bootstrapInterval(values, { seed: 'b' })).not.toEqual(interval);
    expect(interval.low).toBeGreaterThan(0);
    expect(interval.low).toBeLessThan(meanOf(values));
    expect(interval.high).toBeGreaterThan(meanOf(values));
  });

  it('of equal values is the exact one at a border, the value elsewhere, and there is none of a single value', () => {
    const bounds = { low: 0, high: 1 };
    expect(bootstrapInterval(new Array<number>(30).fill(1), { seed: 'a', bounds })).toEqual({
      low: expect.closeTo(0.8843, 4),
      high: 1,
    });
    expect(bootstrapInterval(new Array<number>(30).fill(0), { seed: 'a', bounds })).toEqual({
      low: 0,
      high: expect.closeTo(0.1157, 4),
    });
    expect(bootstrapInterval([0.5, 0.5, 0.5], { seed: 'a', bounds })).toEqual({ low: 0.5, high: 0.5 });
    expect(bootstrapInterval([1], { seed: 'a' })).toBeNull();
  });
});

describe('the paired permutation test', () => {
  it('raises a false alarm in 5 of 100 comparisons of equals', () => {
    const random = seededRandom('equals');
    let alarms = 0;
    for (let run = 0; run < 2 * RUNS; run += 1) {
      const differences = Array.from({ length: 60 }, () => random() ** 2 - random() ** 2);
      if (pairedPermutationTest(differences, { seed: `run ${run}`, permutations: 1_000 }) <= 0.05) alarms += 1;
    }
    expect(alarms / (2 * RUNS)).toBeGreaterThanOrEqual(0.035);
    expect(alarms / (2 * RUNS)).toBeLessThanOrEqual(0.065);
  });

  it('counts all patterns of few differences, and never alarms where nothing differs', () => {
    expect(pairedPermutationTest([1, 1, 1, 1, 1, 0, 0], { seed: 'a' })).toBe(2 / 2 ** 5);
    expect(pairedPermutationTest([0.1, 0.2, -0.3], { seed: 'a' })).toBe(1);
    expect(pairedPermutationTest([0, 0, 0], { seed: 'a' })).toBe(1);
    expect(pairedPermutationTest([], { seed: 'a' })).toBe(1);
  });

  it('sees a difference that is there', () => {
    const random = seededRandom('better');
    const differences = Array.from({ length: 100 }, () => random() - 0.3);
    expect(pairedPermutationTest(differences, { seed: 'a' })).toBeLessThan(0.001);
  });
});

describe('several comparisons', () => {
  it('are corrected step by step, in the order given', () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holmAdjusted([0.9, 0.8])).toEqual([1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });
});

describe('the smallest detectable difference', () => {
  it('shrinks with the root of the number of pairs', () => {
    const of = (count: number): number =>
      smallestDetectableDifference(Array.from({ length: count }, (_, index) => (index % 2 ? 0.1 : -0.1)))!;
    expect(of(100)).toBeCloseTo(((1.959964 + 0.841621) * 0.1 * Math.sqrt(100 / 99)) / 10, 6);
    expect(of(400) / of(100)).toBeCloseTo(0.5, 2);
    expect(smallestDetectableDifference([0, 0, 0])).toBeNull();
    expect(smallestDetectableDifference([1])).toBeNull();
  });
});
