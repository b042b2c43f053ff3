import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPoint, LineSplitter, MAX_LINE_UNITS, type ScannedLine } from './line-splitter.js';

function split(pieces: readonly string[]): ScannedLine[] {
  const lines: ScannedLine[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.feed(piece);
  splitter.finish();
  return lines;
}

describe('LineSplitter', () => {
  it('ends lines at LF, CRLF and CR and keeps the offsets of the text', () => {
    const text = 'a\nbb\r\n\rccc';
    const lines = split([text]);
    expect(lines.map((line) => line.text)).toEqual(['a', 'bb', '', 'ccc']);
    for (const line of lines) expect(text.slice(line.start, line.end)).toBe(line.text);
  });

  it('gives the same lines however the text is divided into pieces', () => {
    const characters = fc.array(fc.constantFrom('a', ' ', '\n', '\r', '語'), { maxLength: 60 });
    fc.assert(
      fc.property(characters, fc.array(fc.nat(60), { maxLength: 8 }), (letters, borders) => {
        const text = letters.join('');
        const cuts = [0, ...borders.map((at) => Math.min(at, text.length)).sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
        expect(split(pieces)).toEqual(split([text]));
      }),
    );
  });

  it('hands on an endless line in bounded parts that lose nothing', () => {
    const text = 'word '.repeat(20_000);
    const lines = split([text.slice(0, 70_000), text.slice(70_000)]);
    expect(lines.map((line) => line.text).join('')).toBe(text);
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(MAX_LINE_UNITS);
    expect(lines.map((line) => line.beginsLine)).toEqual([
      true,
      ...Array.from({ length: lines.length - 1 }, () => false),
    ]);
  });

  it('does not cut through a surrogate pair', () => {
    expect(cutPoint('x😀😀', 0, 2)).toBe(1);
    expect(cutPoint('x😀😀', 0, 3)).toBe(3);
  });
});
