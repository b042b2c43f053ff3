import { describe, expect, it } from 'vitest';
import { isFoundByParts } from './word-parts.js';

const evidence = (
  words: string[],
  ...terms: (readonly [string, string, number])[]
): Parameters<typeof isFoundByParts>[0] => ({
  words: words.map((word) => ({ word })),
  terms: terms.map(([leg, term, contribution]) => ({ leg, term, contribution })),
});

describe('what is found by parts of words alone', () => {
  it('has parts of words, and none of the words that matter', () => {
    const words = ['Urlaubstage', 'Jahr'];
    const parts = [
      ['grams', 'urla', 2],
      ['words', 'urlaubstage', 0],
      ['words', 'im', 0.1],
    ] as const;
    expect(isFoundByParts(evidence(words, ...parts))).toBe(true);
    expect(isFoundByParts(evidence(words, ...parts, ['words', 'jahr', 1]))).toBe(false);
    expect(isFoundByParts(evidence(words, ...parts, ['title', 'jahr', 1]))).toBe(false);
    expect(isFoundByParts(evidence(words, ['words', 'im', 0.1]))).toBe(false);
  });

  it('is not what has the stem of a word, or the word without its marks', () => {
    expect(isFoundByParts(evidence(['battery'], ['grams', 'batt', 1], ['words', 'batteri', 1]))).toBe(false);
    expect(isFoundByParts(evidence(['Größe'], ['grams', 'groe', 1], ['words', 'grosse', 1]))).toBe(false);
  });
});
