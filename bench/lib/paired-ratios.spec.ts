import { describe, expect, it } from 'vitest';
import { isSlower, medianInterval, medianOf, orderOfPair, rankOfInterval } from './paired-ratios.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('the order of the sides', () => {
  it('is A B B A A B B A', () => {
    const shown = [0, 1, 2, 3].map((pair) => orderOfPair(pair).map((side) => (side === 'theirs' ? 'A' : 'B')));
    expect(shown.flat().join(' ')).toBe('A B B A A B B A');
  });
});

describe('the interval of a median', () => {
  it.each([
    [10, 2],
    [11, 2],
    [12, 3],
    [15, 4],
    [20, 6],
    [30, 10],
    [100, 40],
  ])('takes of %i values the ranks that tables of the sign test name', (count, rank) => {
    expect(rankOfInterval(count)).toBe(rank);
  });

  it('goes from one value to another, with the median between them, whatever their order', () => {
    expect(medianInterval(upTo(10))).toEqual({ median: 5.5, low: 2, high: 9 });
    expect(medianInterval(upTo(13).toReversed())).toEqual({ median: 7, low: 3, high: 11 });
  });

  it('is the same at every run, and is not moved by one odd pair', () => {
    const ratios = [1.01, 0.99, 1.02, 0.98, 1.0, 1.01, 0.97, 1.03, 0.99, 40];
    expect(medianInterval(ratios)).toEqual(medianInterval(ratios));
    expect(medianInterval(ratios)).toEqual({ median: 1.005, low: 0.98, high: 1.03 });
  });

  it('holds the true median in 95 of 100 runs and more', () => {
    // Numbers in 0..1 whose median is 0.5, the same at every run.
    let state = 42;
    const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 + 1e-9;
    const runs = Array.from({ length: 2_000 }, () => medianInterval(Array.from({ length: 12 }, next)));
    const held = runs.filter(({ low, high }) => low <= 0.5 && high >= 0.5).length;
    expect(held / runs.length).toBeGreaterThanOrEqual(0.95);
    expect(held / runs.length).toBeLessThan(0.98);
  });

  it('refuses too few pairs, and ratios that are none', () => {
    expect(() => medianInterval(upTo(9))).toThrow(RangeError);
    for (const odd of [0, -1, NaN, Infinity]) expect(() => medianInterval([...upTo(10), odd])).toThrow(RangeError);
  });
});

describe('slower', () => {
  it('is what even the lower end of the interval shows', () => {
    expect(isSlower({ median: 1.2, low: 1.05, high: 1.4 })).toBe(false);
    expect(isSlower({ median: 1.06, low: 1.051, high: 1.07 })).toBe(true);
    expect(isSlower({ median: 0.7, low: 0.6, high: 0.8 })).toBe(false);
  });
});

describe('the median', () => {
  it('is the middle value, or lies between the two', () => {
    expect(medianOf([1, 2, 100])).toBe(2);
    expect(medianOf([1, 2, 4, 100])).toBe(3);
  });
});
