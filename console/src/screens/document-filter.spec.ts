import { describe, expect, it } from 'vitest';
import { furtherOf, keepsPlace, queryOf, readFilter, readOrder, withCondition, withOrder } from './document-filter.js';

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
    expect(furtherOf(filter)).toHaveLength(7);
  });

  it('is nothing where the address says nothing that it knows', () => {
    for (const query of ['', 'state=done&searchable=1&outdated=', 'q=%20%20', 'colour=red', 'tag=']) {
      expect([query, queryOf('d1', read(query))]).toEqual([query, { dataset_id: 'd1' }]);
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
  const before = { name: 'a.txt', path: null, status: 'processing', updated_at: '2026-01-01T00:00:00.000Z' };

  it('stays in its place while only its progress is another', () => {
    const after = { ...before, updated_at: '2026-01-01T00:00:01.000Z' };
    expect(keepsPlace(before, after)).toBe(true);
    expect(keepsPlace(before, after, 'name')).toBe(true);
    expect(keepsPlace(before, after, '-updated_at')).toBe(false);
  });

  it('moves when it is renamed, moved to another folder or done', () => {
    for (const change of [{ name: 'z.txt' }, { path: 'old/a.txt' }, { status: 'completed' }]) {
      expect(keepsPlace(before, { ...before, ...change }, 'name')).toBe(false);
    }
  });
});
