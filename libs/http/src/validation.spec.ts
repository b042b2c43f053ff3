import { describe, expect, it } from 'vitest';
import { findBrokenText } from './validation.js';

describe('text that cannot be kept', () => {
  it('is found at its place, names of fields included', () => {
    expect(findBrokenText({ a: ['fine', '\u0000'], 'b/c': { '\ud800': 1 } }, '/body')).toMatchObject([
      { pointer: '/body/a/1', code: 'well_formed_text' },
      { pointer: '/body/b~1c', code: 'well_formed_text' },
    ]);
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
  ])('is not looked for deeper than 32 levels, however deep %s are', (_what, wrap) => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = wrap(deep);
    expect(findBrokenText(deep, '')).toMatchObject([{ code: 'max_depth' }]);
    let shallow: unknown = 'x';
    for (let level = 0; level < 32; level += 1) shallow = wrap(shallow);
    expect(findBrokenText(shallow, '')).toEqual([]);
  });
});
