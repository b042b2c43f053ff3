import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximalMarginalRelevance } from './diversity.js';
import { compareScored, fuseByReciprocalRank, fuseByWeightedSum } from './fusion.js';
import type { Rankable, Scored } from './fusion.js';

const item = (number: number): Rankable => ({ id: `c${number}`, documentId: `d${number % 3}`, ordinal: number });
const list = fc
  .uniqueArray(fc.record({ number: fc.nat(12), score: fc.constantFrom(0, 0.25, 0.5, 1) }), {
    selector: ({ number }) => number,
  })
  .map((entries): Scored<Rankable>[] =>
    entries.map(({ number, score }) => ({ item: item(number), score })).sort(compareScored),
  );
const lists = fc.array(list, { minLength: 1, maxLength: 3 });
const shuffle = <T>(values: readonly T[]): T[] => values.map((_, index) => values[(index * 5 + 3) % values.length]!);
const fusions: [string, (input: Scored<Rankable>[][]) => Scored<Rankable>[]][] = [
  ['fuseByReciprocalRank', (input) => fuseByReciprocalRank(input)],
  ['fuseByWeightedSum', (input) => fuseByWeightedSum(input.map((results) => ({ results, weight: 2 })))],
];

describe.each(fusions)('%s', (_name, fuse) => {
  it('keeps every item once, with a score in 0..1, ordered by score, document and ordinal', () => {
    fc.assert(
      fc.property(lists, (input) => {
        const fused = fuse(input);
        const ids = new Set(input.flat().map((entry) => entry.item.id));
        expect(new Set(fused.map((entry) => entry.item.id))).toEqual(ids);
        expect(fused).toHaveLength(ids.size);
        for (const { score } of fused) expect(score >= 0 && score <= 1).toBe(true);
        expect(fused).toEqual(fused.toSorted(compareScored));
      }),
    );
  });

  it('never adds a result when the threshold rises', () => {
    fc.assert(
      fc.property(
        lists,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (input, a, b) => {
          const above = (threshold: number): string[] =>
            fuse(input)
              .filter(({ score }) => score >= threshold)
              .map((entry) => entry.item.id);
          const low = above(Math.min(a, b));
          expect(low.slice(0, above(Math.max(a, b)).length)).toEqual(above(Math.max(a, b)));
        },
      ),
    );
  });

  it('gives the same order for the same channels named in another order', () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        expect(fuse([a, b]).map((entry) => entry.item.id)).toEqual(fuse([b, a]).map((entry) => entry.item.id));
      }),
    );
  });
});

describe('fuseByReciprocalRank', () => {
  const a: Scored<Rankable>[] = [item(1), item(2)].map((entry) => ({ item: entry, score: 1 }));
  const b: Scored<Rankable>[] = [item(2), item(4)].map((entry) => ({ item: entry, score: 1 }));

  it('sums weight / (k + rank) and divides by the greatest possible sum', () => {
    const [first, second] = fuseByReciprocalRank([a, b], { k: 60, weights: [1, 0.5] });
    expect(first).toMatchObject({ item: { id: 'c2' }, ranks: [2, 1] });
    expect(first!.score).toBeCloseTo((1 / 62 + 0.5 / 61) / (1.5 / 61), 12);
    expect(second).toMatchObject({ item: { id: 'c1' }, ranks: [1, null] });
  });

  it('gives 1 to what every list ranks first', () => {
    expect(fuseByReciprocalRank([a, a])[0]!.score).toBe(1);
  });

  it('refuses weights that do not fit', () => {
    expect(() => fuseByReciprocalRank([a, b], { weights: [1] })).toThrow(RangeError);
    expect(() => fuseByReciprocalRank([a], { weights: [-1] })).toThrow(RangeError);
    expect(() => fuseByReciprocalRank([a], { k: NaN })).toThrow(RangeError);
  });
});

describe('fuseByWeightedSum', () => {
  it('scales each channel between its floor and its ceiling', () => {
    const keyword = { results: [{ item: item(1), score: 4 }], weight: 3, ceiling: 8 };
    const vector = {
      results: [
        { item: item(1), score: 0.6 },
        { item: item(2), score: 0.2 },
      ],
      weight: 1,
      floor: 0.2,
      ceiling: 1,
    };
    const fused = fuseByWeightedSum([keyword, vector]);
    expect(fused[0]!.score).toBeCloseTo((3 * 0.5 + 1 * 0.5) / 4, 12);
    expect(fused[1]!.score).toBe(0);
  });
});

describe('maximalMarginalRelevance', () => {
  const similarity = (a: Rankable, b: Rankable): number => (a.documentId === b.documentId ? 1 : 0);

  it('takes for a limit a prefix of what it takes for a greater one, whatever the order of its input', () => {
    fc.assert(
      fc.property(list, fc.nat(12), fc.double({ min: 0, max: 1, noNaN: true }), (items, limit, lambda) => {
        const take = (entries: Scored<Rankable>[], count: number): string[] =>
          maximalMarginalRelevance(entries, { lambda, similarity, limit: count }).map((entry) => entry.item.id);
        expect(take(items, limit + 1).slice(0, limit)).toEqual(take(items, limit));
        if (items.length % 5 !== 0) expect(take(shuffle(items), limit)).toEqual(take(items, limit));
      }),
    );
  });

  it('keeps the order by score with lambda 1 and prefers what is different below', () => {
    const items = [
      { item: item(0), score: 1 },
      { item: item(3), score: 0.9 },
      { item: item(1), score: 0.8 },
    ];
    const order = (lambda: number): string[] =>
      maximalMarginalRelevance(items, { lambda, similarity, limit: 3 }).map((entry) => entry.item.id);
    expect(order(1)).toEqual(['c0', 'c3', 'c1']);
    expect(order(0.5)).toEqual(['c0', 'c1', 'c3']);
  });
});
