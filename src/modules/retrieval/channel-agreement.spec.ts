import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rankable, Scored } from '#libs/text';
import { trustInVectors } from './channel-agreement.js';

const list = (ids: readonly (number | string)[]): Scored<Rankable>[] =>
  ids.map((id, place) => ({ item: { id: String(id), documentId: String(id), ordinal: 0 }, score: 1 - place / 1_000 }));
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('trustInVectors', () => {
  it('is whole when both channels begin with the same chunks, in whatever order', () => {
    expect(trustInVectors(list(range(0, 50)), list(range(0, 20).toReversed()))).toBe(1);
  });

  it('is least when they have nothing in common, and never nothing', () => {
    expect(trustInVectors(list(range(0, 50)), list(range(100, 50)))).toBeCloseTo(0.1, 10);
  });

  it('grows with what they have in common', () => {
    const trusts = [2, 4, 5, 6, 8].map((common) =>
      trustInVectors(list(range(0, 20)), list([...range(0, common), ...range(100, 20 - common)])),
    );
    expect(trusts.map((trust) => Math.round(trust * 100) / 100)).toEqual([0.1, 0.33, 0.5, 0.67, 1]);
  });

  it('is whole where words find nothing, and little is held against vectors where they find little', () => {
    expect(trustInVectors([], list(range(0, 20)))).toBe(1);
    expect(trustInVectors(list([7]), list(range(100, 20)))).toBe(1);
  });

  it('does not depend on what stands beyond the first twenty places', () => {
    const id = fc.integer({ min: 0, max: 60 });
    const ids = fc.uniqueArray(id, { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(ids, ids, (some, others) => {
        const whole = trustInVectors(list(some), list(others));
        expect(trustInVectors(list(some.slice(0, 20)), list(others.slice(0, 20)))).toBe(whole);
        expect(whole >= 0.1 && whole <= 1).toBe(true);
      }),
    );
  });
});
