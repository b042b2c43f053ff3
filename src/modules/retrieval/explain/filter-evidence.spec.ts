import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { matchesFilter, type ChunkMetadata, type Filter } from '#libs/vector-store';
import { relaxFilter, unmetConditions } from './filter-evidence.js';

const facts: ChunkMetadata = {
  documentId: 'd' as DocumentId,
  documentName: 'manual.txt',
  mediaType: 'text/plain',
  language: 'en',
  createdAt: '2026-01-01T00:00:00.000Z',
  tags: ['manual'],
  metadata: { year: 2024 },
};

const holds: Filter = { type: 'eq', key: 'tags', value: 'manual' };
const fails: Filter = { type: 'gt', key: 'metadata.year', value: 2025 };
const leaf = fc.constantFrom<Filter>(
  holds,
  fails,
  { type: 'exists', key: 'metadata.none' },
  { type: 'ne', key: 'language', value: 'de' },
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      type: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
      filters: fc.array(tie('filter'), { maxLength: 3 }),
    }),
  ),
}));

describe('the evidence of a filter', () => {
  it('names what keeps a document out, where it is', () => {
    expect(unmetConditions({ type: 'and', filters: [holds, fails] }, facts)).toEqual([
      { pointer: '/filters/filters/1', detail: 'metadata.year is not "gt" 2025', condition: fails },
    ]);
    expect(unmetConditions({ type: 'not', filters: [fails, holds] }, facts)).toEqual([
      {
        pointer: '/filters/filters/1',
        detail: 'holds, and "not" wants it not to',
        condition: { type: 'not', filters: [holds] },
      },
    ]);
  });

  it('is there exactly when the document does not meet the filter', () => {
    fc.assert(
      fc.property(filter, (one) => {
        expect(unmetConditions(one, facts).length > 0).toBe(!matchesFilter(one, facts));
      }),
    );
  });

  it('relaxes a filter to one that the document meets', () => {
    expect(relaxFilter({ type: 'and', filters: [holds, fails] }, facts)).toEqual({ type: 'and', filters: [holds] });
    expect(relaxFilter(fails, facts)).toBeUndefined();
    fc.assert(
      fc.property(filter, (one) => {
        const relaxed = relaxFilter(one, facts);
        expect(relaxed === undefined || matchesFilter(relaxed, facts)).toBe(true);
      }),
    );
  });
});
