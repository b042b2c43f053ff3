/**
 * Runs in a thread of its own for large graphs, since the packages that measure them cannot pause. Imports packages only, so that the thread
 * starts both from the sources and from the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { UndirectedGraph } from 'graphology';
import louvainExport from 'graphology-communities-louvain';
import pagerankExport from 'graphology-metrics/centrality/pagerank.js';

// These packages are CommonJS whose exported value is the function itself, while their types tell of a `default` member of it.
const louvain = louvainExport as unknown as typeof louvainExport.default;
const pagerank = pagerankExport as unknown as typeof pagerankExport.default;

/** Marks a thread that was started to measure. */
export const WEIGHTED_EDGES = 'weighted-edges';

/** Edges between numbered nodes, as data that can be passed to a thread. */
export interface WeightedEdges {
  readonly kind: typeof WEIGHTED_EDGES;
  readonly nodes: number;
  /** Two numbers for each edge. */
  readonly ends: Int32Array;
  readonly weights: Float64Array;
}

/** A value for each node. */
export interface MeasuredEdges {
  readonly degrees: Int32Array;
  readonly ranks: Float64Array;
  readonly communities: Int32Array;
}

type Weighted = UndirectedGraph<object, { weight: number }>;

const SEED = 1;

/** Degree, PageRank and community of each node; edges between the same two nodes are added up. */
export function measureEdges({ nodes, ends, weights }: WeightedEdges): MeasuredEdges {
  const graph: Weighted = new UndirectedGraph<object, { weight: number }>();
  for (let node = 0; node < nodes; node += 1) graph.addNode(node);
  for (const [at, weight] of weights.entries()) {
    const [source, target] = [ends[2 * at]!, ends[2 * at + 1]!];
    if (graph.hasEdge(source, target))
      graph.updateEdgeAttribute(source, target, 'weight', (sum) => (sum ?? 0) + weight);
    else graph.addEdge(source, target, { weight });
  }
  const all = Array.from({ length: nodes }, (_, node) => node);
  const ranks = graph.size === 0 ? undefined : pagerank(graph, { getEdgeWeight: 'weight' });
  return {
    degrees: Int32Array.from(all, (node) => graph.degree(node)),
    ranks: Float64Array.from(all, (node) => Math.round((ranks?.[node] ?? 1 / nodes) * 1e8) / 1e8),
    communities: communitiesOf(graph),
  };
}

function communitiesOf(graph: Weighted): Int32Array {
  const found = Int32Array.from({ length: graph.order }, (_, node) => node);
  if (graph.size === 0) return found;
  const told = louvain(graph, { getEdgeWeight: 'weight', rng: numbersFrom(SEED) });
  const members = Map.groupBy(found.keys(), (node) => told[node]!);
  const bySize = [...members.values()].sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  for (const [number, group] of bySize.entries()) for (const node of group) found[node] = number;
  return found;
}

/** Numbers between 0 and 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const given = workerData as Partial<WeightedEdges> | null;
if (given?.kind === WEIGHTED_EDGES) parentPort?.postMessage(measureEdges(given as WeightedEdges));
