import { describe, expect, it } from 'vitest';
import { trustedReport } from './trusted-report.js';

const REPORT = {
  mediaType: 'text/plain',
  textLength: 10,
  charset: { name: 'utf-8', confidence: 1, replacedCharacters: 0 },
  pageCount: 2,
  title: 'Herons',
  unseen: [{ start: 0, end: 4, look: 'unseen_size' as const, page: 1 }],
  warnings: [{ code: 'SCANNED_PAGES', detail: 'Two pages.' }],
  fidelity: { pages: 2, skipped: 'two images' },
};

describe('what a parser reports', () => {
  it('is taken as it is, and with nothing but the least', () => {
    expect(trustedReport(REPORT)).toEqual(REPORT);
    const least = { mediaType: 'text/plain', textLength: 0, warnings: [], fidelity: {} };
    expect(trustedReport(least)).toEqual(least);
  });

  it('has no half characters and no NUL afterwards, which nothing can keep', () => {
    const broken = { title: 'a\0b', warnings: [{ code: 'A', detail: '\ud83d' }], fidelity: { skipped: '\udc00' } };
    expect(trustedReport({ ...REPORT, ...broken })).toMatchObject({
      title: 'a\uFFFDb',
      warnings: [{ code: 'A', detail: '\uFFFD' }],
      fidelity: { skipped: '\uFFFD' },
    });
  });

  it.each<[string, object]>([
    ['a title that is no text', { title: 7 }],
    ['pages that are no number', { pageCount: Number.NaN }],
    ['a charset without a name', { charset: { confidence: 1, replacedCharacters: 0 } }],
    ['warnings that are no list', { warnings: { length: 1 } }],
    ['a warning that is none', { warnings: [null] }],
    ['a warning with words as its code', { warnings: [{ code: 'two words', detail: 'a' }] }],
    ['a warning without words', { warnings: [{ code: 'A' }] }],
    ['an immense warning', { warnings: [{ code: 'A', detail: 'a'.repeat(10_001) }] }],
    ['warnings without end', { warnings: Array.from({ length: 1_001 }, () => ({ code: 'A', detail: 'a' })) }],
    ['a count that is no number', { fidelity: { pages: Number.POSITIVE_INFINITY } }],
    ['a count that is a list', { fidelity: { pages: [1] } }],
    ['counts without end', { fidelity: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`n${n}`, n])) }],
    ['unseen text beyond the text', { unseen: [{ start: 8, end: 11, look: 'unseen_size' }] }],
    ['unseen text of an unknown look', { unseen: [{ start: 0, end: 1, look: 'odd' }] }],
  ])('is refused with %s', (_what, change) => {
    expect(() => trustedReport({ ...REPORT, ...change } as never)).toThrow(
      expect.objectContaining({ code: 'PARSER_CRASHED', retryable: false }),
    );
  });
});
