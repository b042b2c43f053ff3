import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/common';
import { mergePatch } from '../../datasets/index.js';
import { mergePatchOf } from './proposals.js';

const key = fc.constantFrom('a', 'b', 'c');
const { object } = fc.letrec<{ object: JsonObject; value: JsonObject[string] }>((tie) => ({
  object: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(fc.integer()),
    tie('object'),
  ),
}));

describe('the merge patch between two objects', () => {
  it('makes the one into the other', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(mergePatch(before, mergePatchOf(before, after))).toEqual(after);
      }),
    );
  });

  it('is empty between equals, and removes with null', () => {
    expect(mergePatchOf({ a: { b: [1] } }, { a: { b: [1] } })).toEqual({});
    expect(mergePatchOf({ type: 'eq', key: 'tags', value: 'x' }, { type: 'and', filters: [] })).toEqual({
      type: 'and',
      key: null,
      value: null,
      filters: [],
    });
  });
});
