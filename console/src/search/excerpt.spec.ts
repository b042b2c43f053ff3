import { describe, expect, it } from 'vitest';
import { evidenceOf, excerptOf, spansOf, unwrapped } from './excerpt.js';

const position = { char_start: 100 };
const highlight = (text: string, ...matches: readonly (readonly [number, number])[]) => ({
  text,
  char_start: 0,
  char_end: 0,
  matches: matches.map(([char_start, char_end]) => ({ char_start, char_end })),
});

describe('an excerpt', () => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');

  it('is the whole of a short passage', () => {
    expect(excerptOf('short', [], 10)).toEqual({ start: 0, end: 5 });
  });

  it('holds the first marked word, is cut between words, and is no longer than asked', () => {
    const at = words.indexOf('word150');
    const { start, end } = excerptOf(words, [{ start: at, end: at + 7 }], 300);
    const shown = words.slice(start, end);
    expect(shown).toContain('word150');
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(shown).toMatch(/^word\d+ .* word\d+$/);
    expect(words[end] === undefined || words[end] === ' ').toBe(true);
  });

  it('of a text without spaces splits no character', () => {
    const text = '𝒜'.repeat(300);
    const { start, end } = excerptOf(text, [], 101);
    expect(text.slice(start, end).isWellFormed()).toBe(true);
  });
});

it('marks are in order, inside the passage and never over each other', () => {
  const highlights = [highlight('', [108, 112], [103, 105]), highlight('', [104, 109], [90, 101], [119, 121])];
  expect(spansOf({ text: 'x'.repeat(20), highlights, position })).toEqual([
    { start: 3, end: 5 },
    { start: 8, end: 12 },
  ]);
});

it('evidence is the first highlight, else the beginning', () => {
  expect(evidenceOf({ text: 'All of it.', highlights: [highlight(' A sentence. ')], position }, 100)).toBe(
    'A sentence.',
  );
  expect(evidenceOf({ text: 'ab𝒜', position }, 3)).toBe('ab');
});

it('lines that a width has broken are joined, and every character keeps its place', () => {
  const long = 'a'.repeat(70);
  const text = `${long}\nnext\n\n- item\n- item ${long}\n- item\nshort\nline`;
  expect(unwrapped(text)).toBe(`${long} next\n\n- item\n- item ${long}\n- item\nshort\nline`);
  expect(unwrapped(text)).toHaveLength(text.length);
});
