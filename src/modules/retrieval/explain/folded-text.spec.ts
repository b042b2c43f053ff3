import { describe, expect, it } from 'vitest';
import { foldedPatterns, foldText } from './folded-text.js';

/** The patterns are of PostgreSQL's dialect; the part of it that they use means the same here. */
const matchesAll = (patterns: readonly string[], text: string): boolean =>
  patterns.every((pattern) => new RegExp(pattern).test(text));

describe('a folded text', () => {
  it('knows neither case nor kinds of white space', () => {
    expect(foldText('  The\u00a0Hydraulic\n\n PUMP ')).toBe('the hydraulic pump');
    expect(foldText('ГАРАНТИЯ\tна Насос')).toBe('гарантия на насос');
  });

  it.each([
    ['the hydraulic pump', 'About THE Hydraulic\nPump.'],
    ['ГАРАНТИЯ на насос', 'гарантия  НА  Насос'],
    ['a+b (c) [d] {e}', 'x A+B  (C) [D] {E} y'],
    ['100% of $5.00', '100% OF $5.00'],
    ['合同期限为三年', '本合同期限为三年。'],
    ['Straße nach İzmir', 'STRAßE nach İZMIR'],
    ['ΟΔΟΣ', 'η οδος εδώ'],
    ['𝒜 map', 'the 𝒜 MAP'],
  ])('of "%s" has patterns that match wherever it is', (text, holder) => {
    expect(matchesAll(foldedPatterns(text), holder)).toBe(true);
  });

  it('has patterns that do not match elsewhere', () => {
    expect(matchesAll(foldedPatterns('hydraulic pump'), 'The valve and the pump')).toBe(false);
    expect(matchesAll(foldedPatterns('a.c'), 'abc')).toBe(false);
  });

  it('has few and short patterns, however long it is', () => {
    const patterns = foldedPatterns(Array.from({ length: 500 }, (_, n) => `word${n}`.repeat(20)).join(' '));
    expect(patterns).toHaveLength(3);
    for (const pattern of patterns) expect(pattern.length).toBeLessThanOrEqual(40 * 5);
  });
});
