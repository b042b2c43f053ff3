import { describe, expect, it } from 'vitest';
import { finish, type DocumentId } from '#libs/common';
import type { ChunkMetadata, Filter } from '#libs/vector-store';
import { FilterCounts, partsOf } from './filter-counts.js';

const TAGGED: Filter = { type: 'eq', key: 'tags', value: 'a' };
const PDF: Filter = { type: 'eq', key: 'media_type', value: 'application/pdf' };
const facts = (tags: string[], mediaType = 'application/pdf'): ChunkMetadata => ({
  documentId: 'd' as DocumentId,
  documentName: 'd.pdf',
  mediaType,
  language: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  tags,
  metadata: {},
});

function countsOf(filter: Filter, documents: readonly ChunkMetadata[]): unknown {
  const parts = partsOf(filter, JSON.parse(JSON.stringify(filter)));
  const counts = new FilterCounts(parts);
  finish(counts.adding(documents));
  return [counts.examined, counts.met, parts.map(({ pointer }, at) => [pointer, { ...counts.byPart[at] }])];
}

describe('counts of a filter', () => {
  it('say of each condition how many documents meet it, and how many it alone keeps out', () => {
    const documents = [facts(['a']), facts([]), facts([], 'text/plain'), facts(['a'], 'text/plain'), facts(['a'])];
    expect(countsOf({ type: 'and', filters: [TAGGED, PDF] }, documents)).toEqual([
      5,
      2,
      [
        ['/filters/filters/0', { met: 3, removedAlone: 1 }],
        ['/filters/filters/1', { met: 3, removedAlone: 1 }],
      ],
    ]);
  });

  it('take what is no list of conditions as one', () => {
    const either: Filter = { type: 'or', filters: [TAGGED, PDF] };
    expect(countsOf(either, [facts([], 'text/plain'), facts([])])).toEqual([
      2,
      1,
      [['/filters', { met: 1, removedAlone: 1 }]],
    ]);
    // `document_id` also means the files of an archive: one condition of the request is two of the search.
    const both: Filter = { type: 'and', filters: [TAGGED, PDF] };
    expect(partsOf(both, { type: 'ne', key: 'document_id', value: 'x' }).map(({ pointer }) => pointer)).toEqual([
      '/filters',
    ]);
  });

  it('remove nothing without conditions', () => {
    expect(countsOf({ type: 'and', filters: [] }, [facts([])])).toEqual([1, 1, []]);
  });
});
