import { describe, expect, it } from 'vitest';
import { matchesFilter, type Filter } from '#libs/vector-store';
import type { DocumentId } from '#libs/common';
import { reachParts } from './reach-parts.js';

const archive = 'archive' as DocumentId;
const facts = (documentId: string, archiveId?: DocumentId) => ({
  documentId: documentId as DocumentId,
  documentName: 'a.txt',
  mediaType: 'text/plain',
  language: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  tags: [],
  metadata: {},
  ...(archiveId === undefined ? {} : { archiveId }),
});
const PART = facts('part', archive);
const ALONE = facts('alone');

describe('the id of an archive in a filter', () => {
  it.each<[string, Filter, boolean, boolean]>([
    ['eq', { type: 'eq', key: 'document_id', value: 'archive' }, true, false],
    ['in', { type: 'in', key: 'document_id', value: ['x', 'archive'] }, true, false],
    ['ne', { type: 'ne', key: 'document_id', value: 'archive' }, false, true],
    ['nin', { type: 'nin', key: 'document_id', value: ['archive'] }, false, true],
    ['not', { type: 'not', filters: [{ type: 'eq', key: 'document_id', value: 'archive' }] }, false, true],
    ['the id of a file', { type: 'eq', key: 'document_id', value: 'part' }, true, false],
    ['archive_id', { type: 'eq', key: 'archive_id', value: 'archive' }, true, false],
    ['no archive', { type: 'exists', key: 'archive_id', value: false }, false, true],
  ])('means its files: %s', (_what, filter, ofPart, ofOther) => {
    expect([matchesFilter(reachParts(filter), PART), matchesFilter(reachParts(filter), ALONE)]).toEqual([
      ofPart,
      ofOther,
    ]);
  });

  it('leaves other conditions as they are', () => {
    const filter: Filter = {
      type: 'and',
      filters: [
        { type: 'eq', key: 'tags', value: 'a' },
        { type: 'exists', key: 'document_id' },
      ],
    };
    expect(reachParts(filter)).toEqual(filter);
  });
});
