import { describe, expect, it } from 'vitest';
import { CatalogueError } from '#libs/common';
import { FILTER_CONDITIONS_MAX, FILTER_DEPTH_MAX, parseFilter } from './parse-filter.js';

const pointersOf = (value: unknown): string[] => {
  let caught: unknown;
  try {
    parseFilter(value, '/filters');
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(CatalogueError);
  expect(caught).toMatchObject({ status: 422, code: 'http.validation_failed' });
  return (caught as CatalogueError).errors!.map(({ pointer }) => pointer);
};
const tag = { type: 'eq', key: 'tags', value: 'a' };
const nested = (depth: number): object => (depth === 1 ? tag : { type: 'not', filters: [nested(depth - 1)] });

describe('parseFilter', () => {
  it.each([
    [tag],
    [{ type: 'ne', key: 'metadata.a.b', value: 3 }],
    [{ type: 'in', key: 'language', value: ['en', 'de'] }],
    [{ type: 'exists', key: 'metadata.x', value: false }],
    [{ type: 'gte', key: 'created_at', value: '2026-01-31T12:00:00+01:00' }],
    [{ type: 'and', filters: [] }],
    [{ type: 'or', filters: [tag, { type: 'not', filters: [tag] }] }],
  ])('takes %j as it is', (filter) => {
    expect(parseFilter(filter, '/filters')).toEqual(filter);
  });

  it('tests for presence when exists has no value', () => {
    expect(parseFilter({ type: 'exists', key: 'tags' }, '')).toEqual({ type: 'exists', key: 'tags', value: true });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'tags', '/filters'],
    ['a list', [tag], '/filters'],
    ['no type', {}, '/filters/type'],
    ['an unknown type', { ...tag, type: 'like' }, '/filters/type'],
    ['an inherited type', { ...tag, type: 'toString' }, '/filters/type'],
    ['an unknown key', { ...tag, key: 'tag' }, '/filters/key'],
    ['a key that every object has', { ...tag, key: 'constructor' }, '/filters/key'],
    ['a field too many', { ...tag, 'a/b': 1 }, '/filters/a~1b'],
    ['a field too many in a group', { type: 'and', filters: [], key: 'tags' }, '/filters/key'],
    ['no value', { type: 'eq', key: 'tags' }, '/filters/value'],
    ['null as a value', { ...tag, value: null }, '/filters/value'],
    ['a list where one value belongs', { ...tag, value: ['a'] }, '/filters/value'],
    ['one value where a list belongs', { ...tag, type: 'in' }, '/filters/value'],
    ['an empty list', { ...tag, type: 'nin', value: [] }, '/filters/value'],
    ['a list that is too long', { ...tag, type: 'in', value: new Array(501).fill('a') }, '/filters/value'],
    ['an object in a list', { ...tag, type: 'in', value: ['a', {}] }, '/filters/value/1'],
    ['a text where a boolean belongs', { type: 'exists', key: 'tags', value: 'yes' }, '/filters/value'],
    ['no time', { type: 'lt', key: 'created_at', value: 'yesterday' }, '/filters/value'],
    ['a date without a time', { type: 'lt', key: 'created_at', value: '2026-01-31' }, '/filters/value'],
    ['a month that is none', { type: 'in', key: 'created_at', value: ['2026-13-01T00:00:00Z'] }, '/filters/value/0'],
    ['a day that is none', { type: 'gt', key: 'created_at', value: '2026-02-30T00:00:00Z' }, '/filters/value'],
    ['a substring of a time', { type: 'contains', key: 'created_at', value: '2026' }, '/filters/type'],
    ['a group without filters', { type: 'or' }, '/filters/filters'],
    [
      'a problem further down',
      { type: 'or', filters: [tag, { type: 'not', filters: [{ ...tag, key: 'x' }] }] },
      '/filters/filters/1/filters/0/key',
    ],
  ])('refuses %s and says where', (_what, filter, pointer) => {
    expect(pointersOf(filter)).toEqual([pointer]);
  });

  it('names every problem', () => {
    expect(
      pointersOf({
        type: 'and',
        filters: [
          { ...tag, key: 'x' },
          { ...tag, value: {} },
        ],
      }),
    ).toEqual(['/filters/filters/0/key', '/filters/filters/1/value']);
  });

  it('takes as many levels and conditions as are allowed and no more', () => {
    expect(parseFilter(nested(FILTER_DEPTH_MAX), '')).toEqual(nested(FILTER_DEPTH_MAX));
    expect(pointersOf(nested(FILTER_DEPTH_MAX + 1))).toHaveLength(1);
    const half = { type: 'or', filters: new Array(FILTER_CONDITIONS_MAX / 2).fill(tag) };
    expect(parseFilter({ type: 'and', filters: [half, half] }, '')).toMatchObject({ type: 'and' });
    expect(pointersOf({ type: 'and', filters: [half, half, tag] })).toEqual(['/filters/filters/2']);
  });
});
