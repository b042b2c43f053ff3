import type { GraphEntityType } from '../../ingestion-policy/index.js';
import type { Steps } from '#libs/common';
import type { NodeMetrics } from './graph-metrics.js';
import type { GraphEdge, GraphNode, KnowledgeGraph } from './knowledge-graph.js';

/** Filter that selects a part of a graph. */
export interface GraphSelection {
  /** Part of a name or of another form of it. */
  readonly q?: string | undefined;
  readonly types?: readonly GraphEntityType[] | undefined;
  /** Nodes that this document names. */
  readonly document?: string | undefined;
  /** Id of the node whose neighbourhood is selected. */
  readonly center?: string | undefined;
  /** Maximum distance from the centre, in edges. */
  readonly depth: number;
  /** Maximum number of nodes, those with the highest PageRank. */
  readonly limit: number;
}

export type MeasuredNode = GraphNode & NodeMetrics;

/** A part of a graph: nodes by falling PageRank, and the edges between them by falling weight. */
export interface GraphPart {
  readonly nodes: readonly MeasuredNode[];
  readonly edges: readonly GraphEdge[];
  /** Before `limit`. */
  readonly total: { readonly nodes: number; readonly edges: number };
}

/** Maximum number of edges of a part for each of its nodes. */
const EDGES_PER_NODE = 10;
const EDGES_PER_STEP = 500;

/** Selects a part of the graph. */
export function* selectPart(
  graph: KnowledgeGraph,
  metrics: ReadonlyMap<string, NodeMetrics>,
  selection: GraphSelection,
): Steps<GraphPart> {
  const near = selection.center === undefined ? null : yield* nodesWithin(graph, selection.center, selection.depth);
  yield;
  const matching: MeasuredNode[] = [];
  for (const node of graph.nodes.values()) {
    if ((near === null || near.has(node.id)) && matches(node, selection))
      matching.push({ ...node, ...metrics.get(node.id)! });
    yield;
  }
  matching.sort((a, b) => first(b, a, selection.center) || b.pagerank - a.pagerank || (a.id < b.id ? -1 : 1));
  const nodes = matching.slice(0, selection.limit);
  const all = new Set(matching.map(({ id }) => id));
  const shown = new Set(nodes.map(({ id }) => id));
  const most = selection.limit * EDGES_PER_NODE;
  const edges: GraphEdge[] = [];
  let between = 0;
  for (const [at, edge] of graph.edges.entries()) {
    if (at % EDGES_PER_STEP === 0) yield;
    if (!all.has(edge.source) || !all.has(edge.target)) continue;
    between += 1;
    if (edges.length < most && shown.has(edge.source) && shown.has(edge.target)) edges.push(edge);
  }
  return { nodes, edges, total: { nodes: matching.length, edges: between } };
}

/** Puts the centre first. */
function first(a: GraphNode, b: GraphNode, center: string | undefined): number {
  return Number(a.id === center) - Number(b.id === center);
}

function matches(node: GraphNode, { q, types, document, center }: GraphSelection): boolean {
  if (node.id === center) return true;
  if (types !== undefined && !types.includes(node.type)) return false;
  if (document !== undefined && !node.evidence.some(({ document_id: id }) => id === document)) return false;
  if (q === undefined) return true;
  const sought = q.normalize('NFKC').toLowerCase();
  return [node.label, ...node.aliases].some((name) => name.normalize('NFKC').toLowerCase().includes(sought));
}

/** Neighbours of each node, each with the heaviest edge to it. */
export function* neighboursOf({ edges }: KnowledgeGraph): Steps<ReadonlyMap<string, ReadonlyMap<string, GraphEdge>>> {
  const neighbours = new Map<string, Map<string, GraphEdge>>();
  const join = (from: string, to: string, edge: GraphEdge): void => {
    const own = neighbours.get(from) ?? new Map<string, GraphEdge>();
    const former = own.get(to);
    if (former === undefined || edge.weight > former.weight) own.set(to, edge);
    neighbours.set(from, own);
  };
  for (const [at, edge] of edges.entries()) {
    if (at % EDGES_PER_STEP === 0) yield;
    join(edge.source, edge.target, edge);
    join(edge.target, edge.source, edge);
  }
  return neighbours;
}

function* nodesWithin(graph: KnowledgeGraph, center: string, depth: number): Steps<ReadonlySet<string>> {
  const neighbours = yield* neighboursOf(graph);
  const found = new Set([center]);
  let border = [center];
  for (let step = 0; step < depth; step++) {
    border = border.flatMap((id) => [...(neighbours.get(id)?.keys() ?? [])].filter((next) => !found.has(next)));
    for (const id of border) found.add(id);
    yield;
  }
  return found;
}

/** A shortest path between two nodes, as its edges; null where none has at most this many edges. */
export function* shortestPath(
  graph: KnowledgeGraph,
  from: string,
  to: string,
  steps: number,
): Steps<readonly GraphEdge[] | null> {
  const neighbours = yield* neighboursOf(graph);
  const before = new Map<string, { readonly id: string; readonly edge: GraphEdge }>();
  const seen = new Set([from]);
  let border = [from];
  for (let step = 0; step < steps && !seen.has(to) && border.length > 0; step++) {
    const next: string[] = [];
    for (const id of border) {
      yield;
      for (const [other, edge] of neighbours.get(id) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        before.set(other, { id, edge });
        next.push(other);
      }
    }
    border = next;
  }
  if (!seen.has(to)) return null;
  const path: GraphEdge[] = [];
  for (let at = before.get(to); at !== undefined; at = before.get(at.id)) path.unshift(at.edge);
  return path;
}
