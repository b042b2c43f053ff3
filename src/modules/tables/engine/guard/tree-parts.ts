import type { TreeNode } from './statement-verdict.js';

export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text of a node; empty where it has none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The queries of a `WITH`, in their order. */
export function entriesOf(ctes: unknown): readonly { key: unknown; value: TreeNode }[] {
  const entries = isNode(ctes) ? ctes['map'] : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.filter(isNode).map(({ key, value }) => ({ key, value: isNode(value) ? value : {} }));
}

/** The node of a query of `WITH`; an empty one, which no list allows, where there is none. */
export function queryOf(cte: TreeNode): TreeNode {
  const query = cte['query'];
  return isNode(query) && isNode(query['node']) ? query['node'] : {};
}

/** Node's own way of keeping a number as it is written; the library's types do not know it. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** The engine writes numbers beyond its own as `Infinity`, which is no JSON. */
const BEYOND_NUMBERS = {
  error: true,
  error_message: 'it contains a number above the largest possible one (1.8e308); write it as a text',
};

/** Reads a tree; numbers that JavaScript cannot hold stay as they are written, also when the tree is written again. */
export function parseTree(text: string): unknown {
  try {
    return exactJson.parse(text, (_key, value, { source }) => {
      const isInexact = typeof value === 'number' && source !== undefined && String(value) !== source;
      return isInexact ? exactJson.rawJSON(source) : value;
    });
  } catch (error) {
    if (error instanceof SyntaxError && /[:,[]-?(?:Infinity|NaN)\b/.test(text)) return BEYOND_NUMBERS;
    throw error;
  }
}
