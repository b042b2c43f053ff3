import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntityType } from './finding.js';
import { maskJson, maskSpans, maskText } from './mask.js';

const EMAILS = new Map<EntityType, number>([['email', 0.5]]);

describe('masks', () => {
  it('keep the length and everything around', () => {
    expect(maskText('Write to anna@example.org today.', EMAILS)).toBe(`Write to ${'█'.repeat(16)} today.`);
  });

  it('cover stretches that overlap', () => {
    expect(
      maskSpans('abcdefgh', [
        { start: 4, end: 6 },
        { start: 1, end: 5 },
      ]),
    ).toBe('a█████gh');
  });

  it('keep the length of any text', () => {
    const span = fc.record({ start: fc.integer({ min: -5, max: 60 }), end: fc.integer({ min: -5, max: 60 }) });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.array(span), (text, spans) => {
        expect(maskSpans(text, spans)).toHaveLength(text.length);
      }),
    );
  });

  it('reach every string of metadata, names of fields included', () => {
    const metadata = { author: { mails: ['a@example.org', 7] }, 'b@example.org': true };
    expect(JSON.stringify(maskJson(metadata, EMAILS))).not.toContain('example');
  });

  it('reach numbers without quotation marks', () => {
    const cards = new Map<EntityType, number>([['credit_card', 0.5]]);
    expect(maskJson({ card: 4111111111111111, n: 12 }, cards)).toEqual({ card: '█'.repeat(16), n: 12 });
  });

  it('change nothing without rules', () => {
    const metadata = { mail: 'a@example.org' };
    expect(maskJson(metadata, new Map())).toBe(metadata);
  });
});
