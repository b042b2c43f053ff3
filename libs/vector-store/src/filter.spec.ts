import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { isKnownFilterKey, matchesFilter, type Filter } from './filter.js';
import { buildMetadata } from './testing/chunk-builder.js';
import { anyFilter, anyMetadata } from './testing/filter-arbitraries.js';

const chunk = buildMetadata({
  documentId: 'd1' as DocumentId,
  documentName: 'Annual report.pdf',
  mediaType: 'application/pdf',
  language: null,
  createdAt: '2026-03-01T12:00:00.000Z',
  tags: ['finance', '2026'],
  metadata: { year: 2026, draft: false, author: 'Zoë', scores: [1, 5], empty: [], nothing: null, 'a.b': 'dotted' },
});

function holds(filter: Filter): boolean {
  return matchesFilter(filter, chunk);
}

describe('matchesFilter', () => {
  it.each<[string, Filter]>([
    ['an equal number', { type: 'eq', key: 'metadata.year', value: 2026 }],
    ['an equal boolean', { type: 'eq', key: 'metadata.draft', value: false }],
    ['a member of a list', { type: 'eq', key: 'tags', value: 'finance' }],
    ['one of several', { type: 'in', key: 'metadata.year', value: [2025, 2026] }],
    ['a name with a dot', { type: 'eq', key: 'metadata.a.b', value: 'dotted' }],
    ['a greater member of a list', { type: 'gt', key: 'metadata.scores', value: 4 }],
    ['a beginning', { type: 'starts_with', key: 'document_name', value: 'Annual' }],
    ['the end of a member', { type: 'ends_with', key: 'tags', value: 'nce' }],
    ['a substring', { type: 'contains', key: 'document_name', value: 'report' }],
    ['membership by contains', { type: 'contains', key: 'tags', value: '2026' }],
    ['the same instant in another zone', { type: 'eq', key: 'created_at', value: '2026-03-01T13:00:00+01:00' }],
    ['an earlier instant', { type: 'gte', key: 'created_at', value: '2026-03-01T12:00:00Z' }],
    ['a key that exists', { type: 'exists', key: 'metadata.year' }],
    ['a key that is null and so does not exist', { type: 'exists', key: 'metadata.nothing', value: false }],
    ['an empty list, which exists', { type: 'exists', key: 'metadata.empty' }],
    ['ne on an empty list', { type: 'ne', key: 'metadata.empty', value: 1 }],
    ['a language that is not known', { type: 'exists', key: 'language', value: false }],
    ['ne on a missing key', { type: 'ne', key: 'metadata.missing', value: 1 }],
    ['nin on a missing key', { type: 'nin', key: 'metadata.missing', value: [1] }],
    ['not on a missing key', { type: 'not', filters: [{ type: 'gt', key: 'metadata.missing', value: 1 }] }],
    ['ne of another type', { type: 'ne', key: 'metadata.year', value: '2026' }],
    ['an empty and', { type: 'and', filters: [] }],
    ['an empty not', { type: 'not', filters: [] }],
    ['nin of nothing', { type: 'nin', key: 'metadata.year', value: [] }],
  ])('holds for %s', (_what, filter) => {
    expect(holds(filter)).toBe(true);
  });

  it.each<[string, Filter]>([
    ['a number asked as a string', { type: 'eq', key: 'metadata.year', value: '2026' }],
    ['a string asked as a number', { type: 'contains', key: 'tags', value: 2026 }],
    ['false asked as zero', { type: 'eq', key: 'metadata.draft', value: 0 }],
    ['the order of booleans', { type: 'lt', key: 'metadata.draft', value: true }],
    ['a part of a member', { type: 'contains', key: 'tags', value: 'fin' }],
    ['a beginning of a number', { type: 'starts_with', key: 'metadata.year', value: '20' }],
    ['a beginning of a date', { type: 'starts_with', key: 'created_at', value: '2026' }],
    ['an end in other case', { type: 'ends_with', key: 'document_name', value: 'PDF' }],
    ['a part of a date', { type: 'contains', key: 'created_at', value: '2026' }],
    ['no date', { type: 'lt', key: 'created_at', value: 'tomorrow' }],
    ['other case', { type: 'contains', key: 'document_name', value: 'REPORT' }],
    ['ne of a member', { type: 'ne', key: 'tags', value: 'finance' }],
    ['a missing key', { type: 'lte', key: 'metadata.missing', value: 1 }],
    ['in of nothing', { type: 'in', key: 'metadata.year', value: [] }],
    ['an empty or', { type: 'or', filters: [] }],
    [
      'not when one of several holds',
      {
        type: 'not',
        filters: [
          { type: 'eq', key: 'metadata.year', value: 1 },
          { type: 'eq', key: 'metadata.year', value: 2026 },
        ],
      },
    ],
    ['an empty list that is said not to exist', { type: 'exists', key: 'metadata.empty', value: false }],
    ['a member of an empty list', { type: 'in', key: 'metadata.empty', value: ['', 0, false] }],
    ['what every object inherits', { type: 'exists', key: 'metadata.constructor' }],
  ])('fails for %s', (_what, filter) => {
    expect(holds(filter)).toBe(false);
  });

  it('orders strings by code points, where UTF-16 units would differ', () => {
    const wide = buildMetadata({ documentName: '\u{1F600}' });
    expect(matchesFilter({ type: 'gt', key: 'document_name', value: '\u{FF5E}' }, wide)).toBe(true);
    const narrow = buildMetadata({ documentName: 'ab' });
    expect(matchesFilter({ type: 'gt', key: 'document_name', value: 'a' }, narrow)).toBe(true);
    expect(matchesFilter({ type: 'lt', key: 'document_name', value: 'abc' }, narrow)).toBe(true);
  });

  it('gives long lists the same meaning as short ones', () => {
    fc.assert(
      fc.property(anyFilter, anyMetadata, (filter, metadata) => {
        fc.pre(filter.type === 'in' || filter.type === 'nin');
        const long = { ...filter, value: Array.from({ length: 20 }, () => filter.value).flat() };
        expect(matchesFilter(long, metadata)).toBe(matchesFilter(filter, metadata));
      }),
    );
    const ids = Array.from({ length: 50 }, (_, n) => `d${n}`);
    expect(holds({ type: 'in', key: 'document_id', value: ids })).toBe(true);
    expect(holds({ type: 'nin', key: 'document_id', value: ids })).toBe(false);
    expect(holds({ type: 'in', key: 'metadata.year', value: ids })).toBe(false);
    const days = ids.map((_, n) => `2026-03-01T${String(n % 24).padStart(2, '0')}:00:00+00:00`);
    expect(holds({ type: 'in', key: 'created_at', value: days })).toBe(true);
  });

  it('gives ne, nin and not the opposite of eq, in and their filter', () => {
    fc.assert(
      fc.property(anyFilter, anyMetadata, (filter, metadata) => {
        expect(matchesFilter({ type: 'not', filters: [filter] }, metadata)).toBe(!matchesFilter(filter, metadata));
        if (filter.type === 'eq') {
          expect(matchesFilter({ ...filter, type: 'ne' }, metadata)).toBe(!matchesFilter(filter, metadata));
        }
        if (filter.type === 'in') {
          expect(matchesFilter({ ...filter, type: 'nin' }, metadata)).toBe(!matchesFilter(filter, metadata));
        }
      }),
    );
  });
});

describe('isKnownFilterKey', () => {
  it.each([
    'tags',
    'media_type',
    'language',
    'document_id',
    'document_name',
    'created_at',
    'metadata.a',
    'metadata.a.b',
  ])('knows %s', (key) => {
    expect(isKnownFilterKey(key)).toBe(true);
  });

  it.each(['', 'tag', 'metadata', 'metadata.', 'constructor', 'toString', 'documentId', 'text'])(
    'does not know %j',
    (key) => {
      expect(isKnownFilterKey(key)).toBe(false);
    },
  );

  it('takes names of 64 characters and no longer, counted as a reader counts them', () => {
    expect(isKnownFilterKey(`metadata.${'😀'.repeat(64)}`)).toBe(true);
    expect(isKnownFilterKey(`metadata.${'x'.repeat(65)}`)).toBe(false);
  });
});
