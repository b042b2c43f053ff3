import { describe, expect, it } from 'vitest';
import { pauseAfter } from './pause-after.js';

describe('the pause after failures', () => {
  it('doubles with each failure in a row and never grows beyond a minute', () => {
    const pauses = Array.from({ length: 12 }, (_, n) => pauseAfter(n + 1, 0, () => 0.5));
    expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it('is spread by a quarter to both sides', () => {
    expect([pauseAfter(1, 0, () => 0), pauseAfter(1, 0, () => 1)]).toEqual([750, 1_250]);
  });

  it('is at least what the dependency asked for, up to a minute', () => {
    expect(pauseAfter(1, 7, () => 0.5)).toBe(7_000);
    expect(pauseAfter(1, 3_600, () => 0.5)).toBe(60_000);
  });
});
