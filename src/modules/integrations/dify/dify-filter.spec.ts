import { describe, expect, it } from 'vitest';
import { conditionAt, placeInConditions, toSearchFilter, type DifyOperator } from './dify-filter.js';

const condition = (comparison_operator: DifyOperator, value?: string | number) => ({
  name: ['department'],
  comparison_operator,
  ...(value === undefined ? {} : { value }),
});

describe("Dify's conditions", () => {
  it('are joined by logical_operator, by default all of them', () => {
    const conditions = [condition('is', 'legal'), condition('contains', 'gal')];
    expect(toSearchFilter({ conditions })).toMatchObject({ type: 'and' });
    expect(toSearchFilter({ conditions, logical_operator: 'or' })).toMatchObject({ type: 'or' });
    expect(toSearchFilter({ conditions: [] })).toBeUndefined();
  });

  it('are met by one of several names, which are metadata fields unless they are built-in keys', () => {
    const filter = toSearchFilter({
      conditions: [{ name: ['document_name', 'metadata.team', 'owner'], comparison_operator: 'is', value: 'a' }],
    });
    const keys = filter?.filters?.[0]?.filters?.map(({ key }) => key);
    expect(keys).toEqual(['document_name', 'metadata.team', 'metadata.owner']);
  });

  it('compare numbers as numbers, and texts as texts', () => {
    const valueOf = (operator: DifyOperator, value: string) =>
      toSearchFilter({ conditions: [condition(operator, value)] })?.filters?.[0]?.filters?.[0]?.value;
    expect(valueOf('≥', '12.5')).toBe(12.5);
    expect(valueOf('is', '12.5')).toBe('12.5');
    expect(valueOf('=', 'twelve')).toBe('twelve');
  });

  it.each([
    ['/filters/filters/3/filters/1/key', '/metadata_condition/conditions/3/name/1'],
    ['/filters/filters/3/filters/1/value', '/metadata_condition/conditions/3/value'],
    ['/filters/filters/3/filters/1/filters/0/value', '/metadata_condition/conditions/3/value'],
    ['/filters/filters/3/filters/1/filters/0/key', '/metadata_condition/conditions/3/name/1'],
    ['/filters/filters/3/filters/1/type', '/metadata_condition/conditions/3/comparison_operator'],
    ['/filters/filters/3', '/metadata_condition/conditions/3'],
    ['/filters', '/metadata_condition'],
    ['/query', '/query'],
  ])('have problems with pointers into the request of Dify (%s)', (pointer, place) => {
    const conditions = Array.from({ length: 4 }, () => condition('is', 'x'));
    expect(placeInConditions(pointer, conditionAt(pointer, conditions))).toBe(place);
  });
});
