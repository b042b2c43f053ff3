import { describe, expect, it } from 'vitest';
import type { CategoryId } from '#libs/common';
import { buildCategoryTree, heightOf, pathToRoot } from './category-tree.js';

const row = (id: string, parent: string | null) => ({
  id: id as CategoryId,
  parent_id: parent as CategoryId | null,
  name: id.toUpperCase(),
  dataset_count: 0,
});
const ROWS = [row('c', 'b'), row('a', null), row('b', 'a'), row('d', null), row('e', 'a')];

describe('the category tree', () => {
  it('puts each category below its parent and keeps the order of siblings', () => {
    const tree = buildCategoryTree(ROWS);
    expect(tree.map((node) => node.id)).toEqual(['a', 'd']);
    expect(tree[0]?.children.map((node) => node.id)).toEqual(['b', 'e']);
    expect(tree[0]?.children[0]?.children.map((node) => node.id)).toEqual(['c']);
  });

  it('finds the path to the root', () => {
    expect(pathToRoot(ROWS, 'c')).toEqual(['c', 'b', 'a']);
    expect(pathToRoot(ROWS, 'd')).toEqual(['d']);
    expect(pathToRoot(ROWS, 'unknown')).toEqual([]);
  });

  it('counts the levels of a subtree', () => {
    expect(heightOf(ROWS, 'a')).toBe(3);
    expect(heightOf(ROWS, 'e')).toBe(1);
  });
});
