import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopSequences } from './stop-sequences.js';

function cut(pieces: readonly string[], sequences: readonly string[]): string {
  const stops = new StopSequences(sequences);
  let text = '';
  for (const piece of pieces) {
    const next = stops.push(piece);
    text += next.text;
    if (next.stopped) return text;
  }
  return text + stops.flush();
}

describe('stop sequences', () => {
  it.each([
    [['one two', ' three'], [' three'], 'one two'],
    [['one tw', 'o thr', 'ee'], ['two'], 'one '],
    [['aab', 'aac'], ['aac'], 'aab'],
    [['END'], ['END'], ''],
    [['one ', 'EN'], ['END'], 'one EN'],
    [['a b c'], ['c', 'b'], 'a '],
    [['a b c'], [], 'a b c'],
  ])('cut %j at %j', (pieces, sequences, expected) => {
    expect(cut(pieces, sequences)).toBe(expected);
  });

  it('cut at the first one, however the text is divided', () => {
    const word = (max: number): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: max });
    const sequences = fc.array(
      word(4).filter((text) => text !== ''),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(word(5), { maxLength: 12 }), sequences, (pieces, stops) => {
        const whole = pieces.join('');
        const ends = stops.map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
        expect(cut(pieces, stops)).toBe(whole.slice(0, Math.min(whole.length, ...ends)));
      }),
    );
  });
});
