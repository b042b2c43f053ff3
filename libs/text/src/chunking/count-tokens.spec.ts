import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceByWeight, countTokens, MAX_CHARS_PER_TOKEN, retreatByWeight, weigh } from './count-tokens.js';

describe('countTokens', () => {
  it('counts about four letters of English and one Chinese character a token', () => {
    const english = 'The quick brown fox jumps over the lazy dog and runs on through the forest';
    expect(english.length / countTokens(english)).toBeGreaterThan(3.5);
    expect(english.length / countTokens(english)).toBeLessThan(5);
    expect(countTokens('知识库服务')).toBe(5);
    expect(countTokens('')).toBe(0);
    expect(countTokens('a')).toBe(1);
  });

  it('is additive up to rounding and bounded by the length', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [sum, both] = [countTokens(one) + countTokens(two), countTokens(one + two)];
        expect(both).toBeLessThanOrEqual(sum);
        expect(both).toBeGreaterThanOrEqual(sum - 1);
        expect(one.length).toBeLessThanOrEqual(countTokens(one) * MAX_CHARS_PER_TOKEN);
      }),
    );
  });

  it('advances and retreats as far as the weight reaches and no further', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(2_000), (text, weight) => {
        const to = advanceByWeight(text, 0, text.length, weight);
        expect(weigh(text, 0, to)).toBeLessThanOrEqual(weight);
        if (to < text.length) expect(weigh(text, 0, to + 1)).toBeGreaterThan(weight);
        const from = retreatByWeight(text, 0, text.length, weight);
        expect(weigh(text, from)).toBeLessThanOrEqual(weight);
        if (from > 0) expect(weigh(text, from - 1)).toBeGreaterThan(weight);
      }),
    );
  });
});
