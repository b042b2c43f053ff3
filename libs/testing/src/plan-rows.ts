/** A node of what `EXPLAIN (ANALYZE, FORMAT JSON)` prints, as far as tests look at it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The node and all below it. */
export function planNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(planNodes)];
}

/** Rows that any part of a plan has looked at. */
export function rowsLookedAt(nodes: readonly PlanNode[]): number {
  const one = (node: PlanNode): number =>
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return nodes.reduce((sum, node) => sum + one(node) * node['Actual Loops'], 0);
}
