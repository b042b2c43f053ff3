import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GreatestNumbers } from './greatest-numbers.js';

const numbers = fc.array(fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 2, noNaN: true })), {
  maxLength: 60,
});

describe('GreatestNumbers', () => {
  it('knows the least of the greatest this many, and 0 while there is room', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 20 }), (all, limit) => {
        const greatest = new GreatestNumbers(limit);
        for (const one of all) greatest.add(one);
        const sorted = all.filter((one) => one > 0).toSorted((a, b) => b - a);
        expect(greatest.least).toBe(limit === 0 ? 0 : (sorted[limit - 1] ?? 0));
      }),
    );
  });
});
