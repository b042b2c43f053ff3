import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk } from './analysis/chunk-terms.js';
import { decodeTerms, encodeTerms, type EncodedTerms } from './analysis/encoded-terms.js';
import { summarizeTerms, TermStatistics } from './analysis/term-statistics.js';
import { shareOfCommonWords } from './common-words.js';

const termsOf = (text: string): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk({ text })));

/** Of these texts, the first `best` weighed alike, among others that hold other words. */
function sharesOf(texts: readonly string[], best: number, others = 20): number[] {
  const terms = texts.map(termsOf);
  const statistics = new TermStatistics();
  for (const one of terms) statistics.add(summarizeTerms([one]));
  for (let n = 0; n < others; n += 1) statistics.add(summarizeTerms([termsOf(`other matter number ${n}`)]));
  return shareOfCommonWords(
    terms.map(({ words }, at) => ({ words, weight: at < best ? 1 : 0 })),
    statistics,
  );
}

describe('shareOfCommonWords', () => {
  it('is greatest in the text that holds most of what the best ones share', () => {
    const [, , , middle, edge] = sharesOf(
      [
        'The wing sheds a vortex behind the shock.',
        'A vortex and a shock meet over the wing.',
        'The shock bends the vortex of a wing.',
        'Wing, vortex and shock.',
        'Rivets were painted yesterday.',
      ],
      3,
    );
    expect(middle).toBeGreaterThan(0.5);
    expect(edge).toBe(0);
  });

  it('does not count words of a single text, nor those of most texts', () => {
    expect(sharesOf(['alpha', 'beta', 'gamma'], 3)).toEqual([0, 0, 0]);
    expect(sharesOf(['matter alpha', 'matter beta'], 2)).toEqual([0, 0]);
  });

  it('is between 0 and 1, whatever the texts, and the same for the same ones', () => {
    const anyText = fc.array(fc.constantFrom('wing', 'shock', 'vortex', 'paint', '翼', ''), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), fc.nat(6), (texts, best) => {
        const joined = texts.map((words) => words.join(' '));
        const shares = sharesOf(joined, best, 3);
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
        expect(sharesOf(joined, best, 3)).toEqual(shares);
      }),
    );
  });
});
