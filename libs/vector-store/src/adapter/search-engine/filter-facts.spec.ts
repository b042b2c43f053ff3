import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMetadata } from '../../testing/chunk-builder.js';
import { factTerm, factTerms, sortableNumber } from './filter-facts.js';

/** Longer terms are refused by Lucene. */
const LONGEST_TERM_BYTES = 32_766;

describe('factTerms', () => {
  it('keeps numbers in the order of their values', () => {
    const number = fc.double({ noNaN: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [sortableNumber(a), sortableNumber(b)];
        expect(Math.sign(x < y ? -1 : x > y ? 1 : 0)).toBe(a === b ? 0 : Math.sign(a - b));
      }),
    );
  });

  it('tells types, lists and keys apart', () => {
    const of = (metadata: Record<string, string | number | boolean | string[]>): string[] =>
      factTerms(buildMetadata({ metadata })).filter((term) => term.includes('metadata.'));
    expect(of({ a: '1' })).toEqual([
      factTerm('e', 'metadata.a'),
      factTerm('s', 'metadata.a', '1'),
      factTerm('c', 'metadata.a', '1'),
    ]);
    expect(of({ a: 1 })).toEqual([factTerm('e', 'metadata.a'), factTerm('n', 'metadata.a', sortableNumber(1))]);
    expect(of({ a: true })).toEqual([factTerm('e', 'metadata.a'), factTerm('b', 'metadata.a', 'true')]);
    expect(of({ a: ['x'] })).toEqual([
      factTerm('e', 'metadata.a'),
      factTerm('s', 'metadata.a', 'x'),
      factTerm('m', 'metadata.a', 'sx'),
    ]);
    expect(of({ a: [] })).toEqual([factTerm('e', 'metadata.a')]);
  });

  it('makes no key look like the end of another', () => {
    const names = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', '%', '0', '\0') });
    fc.assert(
      fc.property(names, names, names, names, (key, value, otherKey, otherValue) => {
        const isSame = key === otherKey && value === otherValue;
        expect(factTerm('s', key, value) === factTerm('s', otherKey, otherValue)).toBe(isSame);
      }),
    );
  });

  it.each([
    ['letters', 'x'],
    ['characters of four bytes', '\u{1F600}'],
  ])(
    'cuts long texts of %s into terms that an engine takes, every part of the text in one of them',
    (_what, letter) => {
      const digits = Array.from({ length: 4_000 }, (_, n) => `${n}${letter}`).join('');
      const pieces = factTerms(buildMetadata({ metadata: { long: digits } })).filter((term) =>
        term.startsWith('cmetadata.long'),
      );
      expect(pieces.length).toBeGreaterThan(2);
      for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThan(LONGEST_TERM_BYTES);
      for (let start = 0; start + 4_000 < digits.length; start += 3_001) {
        const needle = digits
          .slice(start, start + 4_000)
          .replace(/^[\uDC00-\uDFFF]/, '')
          .replace(/[\uD800-\uDBFF]$/, '');
        expect(pieces.some((piece) => piece.includes(needle))).toBe(true);
      }
    },
  );
});
