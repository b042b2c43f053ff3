import type { CategoryRow } from '../record/dataset.entity.js';
import type { Category, CategoryNode } from './category.dto.js';

export type CategoryLink = Pick<CategoryRow, 'id' | 'parent_id'>;

export function toCategory(row: CategoryRow): Category {
  return { id: row.id, name: row.name, parent_id: row.parent_id, dataset_count: row.dataset_count };
}

/** The rows as a forest; siblings keep the order of the rows. */
export function buildCategoryTree(rows: readonly CategoryRow[]): CategoryNode[] {
  const nodes = new Map<string, CategoryNode>();
  for (const row of rows) nodes.set(row.id, { ...toCategory(row), children: [] });
  const roots: CategoryNode[] = [];
  for (const node of nodes.values()) {
    const siblings = node.parent_id === null ? roots : nodes.get(node.parent_id)?.children;
    siblings?.push(node);
  }
  return roots;
}

/** Ids from the category up to its root, itself first; empty for an unknown id. */
export function pathToRoot(links: readonly CategoryLink[], id: string): string[] {
  const parents = new Map<string, string | null>(links.map((link) => [link.id, link.parent_id]));
  const path: string[] = [];
  for (let at: string | null = id; at !== null && parents.has(at); at = parents.get(at) ?? null) path.push(at);
  return path;
}

/** Levels of the subtree whose root is `id`; 1 for a category without children. */
export function heightOf(links: readonly CategoryLink[], id: string): number {
  const below = links.filter((link) => link.parent_id === id);
  return 1 + below.reduce((height, link) => Math.max(height, heightOf(links, link.id)), 0);
}
