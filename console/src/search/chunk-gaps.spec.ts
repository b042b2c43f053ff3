import { describe, expect, it } from 'vitest';
import { gapsOf } from './chunk-gaps.js';

const chunks = (...places: readonly (readonly [number, number])[]) =>
  places.map(([start, end]) => ({ position: { char_start: start, char_end: end } }));

describe('text between chunks', () => {
  it('is what lies before, between and behind them; what overlaps leaves nothing out', () => {
    const page = { items: chunks([5, 20], [15, 30], [40, 50]), skip: 0, total: 3 };
    expect(gapsOf(page, 9, 60)).toEqual([
      { from: 0, to: 5, before: 0 },
      { from: 30, to: 40, before: 2 },
      { from: 50, to: 60, before: 3 },
    ]);
    expect(gapsOf({ items: chunks([0, 20], [20, 30]), skip: 0, total: 2 }, 9, 30)).toEqual([]);
  });

  it('goes to the chunk behind the page, where there is one, and knows nothing of the page before', () => {
    const items = chunks([100, 120], [120, 140], [150, 160]);
    expect(gapsOf({ items, skip: 2, total: 9 }, 2, 900)).toEqual([{ from: 140, to: 150, before: 2 }]);
  });

  it('has a bound at the end of a text, and none is told of a text whose length is not known', () => {
    expect(gapsOf({ items: chunks([0, 10]), skip: 0, total: 1 }, 9, 9_000_000)).toEqual([
      { from: 10, to: 100_010, before: 1 },
    ]);
    expect(gapsOf({ items: chunks([0, 10]), skip: 0, total: 1 }, 9, 0)).toEqual([]);
    expect(gapsOf({ items: [], skip: 0, total: 0 }, 9, 10)).toEqual([]);
  });
});
