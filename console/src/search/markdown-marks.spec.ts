import { describe, expect, it } from 'vitest';
import { dresserOf, readableOf, readerOf } from './markdown-marks.js';

describe('a passage as a person reads it', () => {
  it('has no marks of headings, bold text and tables', () => {
    const text = '## 14. Term\n\nNotice takes **six months**.\n\n| Part | Price |\n|---|---:|\n| Chain | 12 |\n';
    expect(readableOf(text)).toBe('14. Term\nNotice takes six months.\nPart · Price\nChain · 12');
  });

  it('keeps what is no mark: a number sign, a power, a bar in a line of words', () => {
    const text = 'Ticket #12: 2 ** 3, a | b, f(**rest)';
    expect(readableOf(text)).toBe(text);
  });

  it('keeps the marks of code', () => {
    const text = '```sh\n# not a heading\n```\n';
    expect(readerOf(text)(0, text.length)).toBe(text);
    expect(readableOf('~~~\n## nor this')).toBe('~~~\n## nor this');
  });

  it('is cut between words', () => {
    expect(readableOf('# Fees\nThe fee for students is twenty', 28)).toBe('Fees\nThe fee for students …');
    expect(readableOf('Short.', 28)).toBe('Short.');
  });
});

it('stretches join to the whole, wherever they are cut', () => {
  const text = '# Fees\n| a | b |\n|--|--|\n| **c** | d |';
  const read = readerOf(text);
  const whole = read(0, text.length);
  expect(whole).toBe('Fees\na · b\nc · d');
  for (let at = 0; at <= text.length; at += 1) expect(read(0, at) + read(at, text.length)).toBe(whole);
});

it('headings and bold text are strong, in whatever stretches they are read', () => {
  const text = '# Fees\nThe fee is **twenty** today.';
  const dress = dresserOf(text);
  const strong = (pieces: ReturnType<typeof dress>): readonly string[] =>
    pieces.filter(({ isStrong }) => isStrong).map(({ text: words }) => words);
  expect(strong(dress(0, text.length))).toEqual(['Fees', 'twenty']);
  for (let at = 0; at <= text.length; at += 1) {
    const both = [...dress(0, at), ...dress(at, text.length)];
    expect(both.map(({ text: words }) => words).join('')).toBe('Fees\nThe fee is twenty today.');
    expect(strong(both).join('')).toBe('Feestwenty');
  }
});
