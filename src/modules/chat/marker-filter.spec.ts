import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveCitations } from '#libs/text';
import { MarkerFilter } from './marker-filter.js';

const NUMBERS = [1, 2, 3];

function whole(text: string): string {
  return resolveCitations(
    text,
    NUMBERS.map((number) => ({ number, text: '', start: 0 })),
  ).answer;
}

function inPieces(pieces: readonly string[]): { text: string; given: string[] } {
  const filter = new MarkerFilter(NUMBERS);
  const given = pieces.map((piece) => filter.push(piece));
  given.push(filter.flush());
  return { text: given.join(''), given };
}

describe('MarkerFilter', () => {
  it('gives what the whole text gives, wherever it is cut', () => {
    const fragment = fc.constantFrom(
      'word',
      ' ',
      '\n',
      '.',
      ', ',
      '[1]',
      '[9]',
      ' [7]',
      '[1, 2]',
      '[9,2]',
      '[',
      ']',
      '【3】',
      '［8］',
      '(',
      '](',
      '`',
      '``',
      '```',
      '1',
      '12',
      ';',
      '🚀',
      '。',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), fc.array(fc.nat(5), { maxLength: 30 }), (parts, lengths) => {
        const text = parts.join('');
        const pieces: string[] = [];
        let at = 0;
        for (const length of lengths) {
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        pieces.push(text.slice(at));
        expect(inPieces(pieces).text).toBe(whole(text));
        expect(inPieces(text.split('')).text).toBe(whole(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds a marker back until it is whole and removes it with its space when it points nowhere', () => {
    const { text, given } = inPieces(['Serviced every 500 hours ', '[', '1', ']', ' and [', '9', '] paid.']);
    expect(text).toBe('Serviced every 500 hours [1] and paid.');
    expect(given.slice(0, 4)).toEqual(['Serviced every 500 hours', '', '', '']);
  });

  it('gives text without brackets at once, except for a space at its end', () => {
    expect(inPieces(['One', ' two ', 'three']).given).toEqual(['One', ' two', ' three', '']);
  });

  it('never cuts a surrogate pair', () => {
    for (const piece of inPieces('a🚀b'.split('')).given) expect(piece.isWellFormed()).toBe(true);
  });

  it('leaves indices inside of code alone while the fence is still open', () => {
    const { text, given } = inPieces(['```\n', 'a[9] = b\n', 'c[8]', '\n```\n', 'done [9].']);
    expect(text).toBe('```\na[9] = b\nc[8]\n```\ndone.');
    expect(given[1]).toBe('a[9] = b\n');
  });
});
