import { describe, expect, it } from 'vitest';
import { sortSteps } from './sort-steps.js';
import { finish } from './steps.js';

describe('sorting with pauses', () => {
  it.each([0, 1, 511, 512, 513, 5_000])('gives %d items the order of toSorted', (count) => {
    const items = Array.from({ length: count }, (_, n) => ({ n, key: (n * 7_919) % 97 }));
    const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    expect(finish(sortSteps(items, byKey))).toEqual(items.toSorted(byKey));
  });

  it('pauses often', () => {
    const steps = sortSteps(
      Array.from({ length: 5_000 }, (_, n) => -n),
      (a, b) => a - b,
    );
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(30);
  });
});
