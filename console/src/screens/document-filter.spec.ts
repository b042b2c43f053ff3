import { describe, expect, it } from 'vitest';
import {
  furtherOf,
  keepsPlace,
  queryOf,
  readFilter,
  readOrder,
  standingOf,
  withCondition,
  withOrder,
  withStanding,
} from './document-filter.js';

const read = (query: string): ReturnType<typeof readFilter> => readFilter(new URLSearchParams(query));

describe('the filter of a list of documents', () => {
  it('is what the address says, as the interface takes it', () => {
    const filter = read(
      'q=lamp&state=failed&type=application/pdf&tag=a%26b&error_code=EMPTY_FILE&warning_code=SAME_NAME&waiting_reason=queued&searchable=false&outdated=true',
    );
    expect(queryOf('d1', filter)).toEqual({
      dataset_id: 'd1',
      q: 'lamp',
      status: 'failed',
      media_type: 'application/pdf',
      tag: 'a&b',
      error_code: 'EMPTY_FILE',
      warning_code: 'SAME_NAME',
      waiting_reason: 'queued',
      searchable: false,
      outdated: true,
    });
    expect(furtherOf(filter)).toHaveLength(8);
  });

  it('is nothing where the address says nothing that it knows', () => {
    for (const query of ['', 'state=done&searchable=1&outdated=', 'q=%20%20', 'colour=red', 'tag=']) {
      expect([query, queryOf('d1', read(query))]).toEqual([query, { dataset_id: 'd1' }]);
    }
  });

  it('has a standing, which is what is read and has no text as well as a state', () => {
    const address = withStanding(new URLSearchParams('tag=lamps&state=failed'), 'without_text');
    expect(address.toString()).toBe('tag=lamps&state=completed&searchable=false');
    expect(standingOf(read(address.toString()))).toBe('without_text');
    expect(furtherOf(read(address.toString()))).toEqual([['tag', 'lamps']]);
    expect(withStanding(address, 'searchable').toString()).toBe('tag=lamps&searchable=true');
    expect(withStanding(address, 'total').toString()).toBe('tag=lamps');
    expect(standingOf(read('tag=lamps'))).toBe('total');
  });

  it('names a state or a pair that is no standing beside the others, so that it can be taken away', () => {
    for (const query of ['state=completed', 'searchable=false', 'state=failed&searchable=true']) {
      expect(standingOf(read(query))).toBeUndefined();
      expect(furtherOf(read(query))).toHaveLength(query.split('&').length);
    }
  });

  it('has an order, which the address names where it is not the usual one', () => {
    const address = new URLSearchParams('tag=lamps&order=name');
    expect(readOrder(address)).toBe('name');
    expect(readOrder(new URLSearchParams('order=size'))).toBe('-created_at');
    expect(withOrder(address, '-updated_at').toString()).toBe('tag=lamps&order=-updated_at');
    expect(withOrder(address, '-created_at').toString()).toBe('tag=lamps');
  });

  it('changes one condition and leaves the rest of the address alone', () => {
    const address = new URLSearchParams('look=2&tag=lamps&q=pier');
    expect(withCondition(address, 'tag', '').toString()).toBe('look=2&q=pier');
    expect(withCondition(address, 'state', 'failed').toString()).toBe('look=2&tag=lamps&q=pier&state=failed');
    expect(address.toString()).toBe('look=2&tag=lamps&q=pier');
  });
});

describe('a document that has changed', () => {
  const before = {
    name: 'a.txt',
    path: null,
    status: 'processing',
    searchable: true,
    updated_at: '2026-01-01T00:00:00.000Z',
  };

  it('stays in its place while only its progress is another', () => {
    const after = { ...before, updated_at: '2026-01-01T00:00:01.000Z' };
    expect(keepsPlace(before, after)).toBe(true);
    expect(keepsPlace(before, after, 'name')).toBe(true);
    expect(keepsPlace(before, after, '-updated_at')).toBe(false);
  });

  it('moves when it is renamed, moved to another folder or done', () => {
    for (const change of [{ name: 'z.txt' }, { path: 'old/a.txt' }, { status: 'completed' }, { searchable: false }]) {
      expect(keepsPlace(before, { ...before, ...change }, 'name')).toBe(false);
    }
  });
});
