import { describe, expect, it } from 'vitest';
import { comparedWord, relationOf } from './word-relations.js';

describe('who does something, and the verb', () => {
  it.each([
    ['cleaners', 'cleans'],
    ['cleaner', 'cleaning'],
    ['painted', 'painters'],
  ])('%s and %s are related', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBeGreaterThan(0);
  });

  it.each([
    ['paper', 'pap'],
    ['letters', 'lets'],
    ['winter', 'wines'],
  ])('%s and %s are not', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBe(0);
  });
});

describe('a short German noun, and one that means a kind of it', () => {
  it.each([
    ['jahr', 'kalenderjahr'],
    ['tage', 'arbeitstage'],
    ['zeit', 'kernarbeitszeit'],
  ])('%s and %s are related', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBeGreaterThan(0);
  });

  it.each([
    ['tage', 'montage'],
    ['rate', 'separate'],
    ['test', 'latest'],
    ['ring', 'during'],
  ])('%s and %s are not', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBe(0);
  });
});
