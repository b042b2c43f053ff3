import { describe, expect, it } from 'vitest';
import { changesOf } from './option-changes.js';
import { filterOf, fieldsOf, NO_FIELDS, type SearchFilter } from './search-filters.js';
import { merged, optionsOf, withOptions, type SearchOptions } from './search-options.js';

const address = (options: SearchOptions): URLSearchParams => withOptions(new URLSearchParams({ q: 'words' }), options);

describe('options of a search', () => {
  const all: readonly SearchOptions[] = [
    {},
    { search_method: 'keyword', top_k: 14, score_threshold: 0, use_kg: false, expand: 'parent' },
    { fusion: { vector_weight: 0.25 }, rerank: { enabled: false }, mmr: { lambda: 0.5 } },
    { fusion: { method: 'rrf', vector_weight: 0.25, k: 10 }, candidate_k: 500 },
    { filters: { type: 'in', key: 'tags', value: ['a, b', 'c'] } },
    {
      filters: {
        type: 'and',
        filters: [
          { type: 'in', key: 'media_type', value: ['application/pdf'] },
          { type: 'starts_with', key: 'path', value: 'manuals/' },
          { type: 'gte', key: 'created_at', value: '2026-01-31T00:00:00.000Z' },
          { type: 'lte', key: 'created_at', value: '2026-02-01T23:59:59.999Z' },
          { type: 'eq', key: 'metadata.customer', value: 'A:B' },
        ],
      },
    },
    { filters: { type: 'not', filters: [{ type: 'exists', key: 'path' }] }, top_k: 5 },
    { dataset_ids: ['one', 'two'] },
  ];

  it('come back from an address as they were put into it', () => {
    for (const options of all) {
      const written = address(options).toString();
      expect(optionsOf(new URLSearchParams(written)), written).toEqual(options);
    }
  });

  it('take the place of those that an address has, and leave the rest of it', () => {
    const before = address(all[5]!);
    expect(withOptions(before, {}).toString()).toBe('q=words');
    expect(withOptions(before, { top_k: 3 }).toString()).toBe('q=words&top_k=3');
  });

  it('are left out where an address says them wrongly', () => {
    const odd = new URLSearchParams(
      'method=magic&top_k=many&threshold=&rerank=maybe&around=&since=yesterday&meta=x&change=[1]',
    );
    expect(optionsOf(odd)).toEqual({});
  });

  it('are changed as a suggestion says, by JSON Merge Patch', () => {
    const options = { top_k: 3, rerank: { enabled: true, top_n: 5 }, filters: filterOf({ ...NO_FIELDS, tags: ['a'] }) };
    expect(merged(options as SearchOptions, { filters: null, rerank: { top_n: 50 }, score_threshold: 0 })).toEqual({
      top_k: 3,
      rerank: { enabled: true, top_n: 50 },
      score_threshold: 0,
    });
  });

  it('are told apart value by value', () => {
    const before = { top_k: 3, fusion: { method: 'rrf', k: 60 } } as SearchOptions;
    const after = { fusion: { method: 'rrf', k: 10 }, search_method: 'keyword' } as SearchOptions;
    expect(changesOf(before, after)).toEqual([
      { option: 'top_k', before: '3', after: undefined },
      { option: 'fusion.k', before: '60', after: '10' },
      { option: 'search_method', before: undefined, after: 'keyword' },
    ]);
  });
});

describe('filters', () => {
  it('are no fields where they say more than fields can', () => {
    const tag = (value: string): SearchFilter => ({ type: 'in', key: 'tags', value: [value] });
    expect(fieldsOf(undefined)).toEqual(NO_FIELDS);
    expect(fieldsOf(tag('a'))).toEqual({ ...NO_FIELDS, tags: ['a'] });
    expect(fieldsOf({ type: 'and', filters: [tag('a'), tag('b')] })).toBeUndefined();
    expect(fieldsOf({ type: 'or', filters: [tag('a')] })).toBeUndefined();
    expect(fieldsOf({ type: 'gte', key: 'created_at', value: '2026-01-31T12:00:00Z' })).toBeUndefined();
    expect(fieldsOf({ type: 'eq', key: 'metadata.count', value: 3 })).toBeUndefined();
  });
});
