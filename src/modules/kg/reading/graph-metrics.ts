import { runInThread } from '#libs/http';
import { measureEdges, WEIGHTED_EDGES, type MeasuredEdges, type WeightedEdges } from './measured-edges.js';
import type { KnowledgeGraph } from './knowledge-graph.js';

/** Metrics of a node in the whole graph. */
export interface NodeMetrics {
  /** Number of nodes that the node is connected to. */
  readonly degree: number;
  /** PageRank, between 0 and 1; the sum over all nodes is 1. */
  readonly pagerank: number;
  /** Number of its community, from 0, the largest first. */
  readonly community: number;
}

const PROGRAM = new URL(`./measured-edges.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
/** Graphs with fewer edges are measured in some milliseconds. */
const EDGES_OF_A_THREAD = 500;
const LIMITS = { seconds: 60, heapMegabytes: 256 };

/**
 * Metrics of every node, over weighted edges without regard to direction; the same graph gives the same numbers. The packages that compute them
 * cannot pause, so a large graph is measured in a thread.
 */
export async function measureGraph(
  { nodes, edges }: KnowledgeGraph,
  party?: string,
): Promise<ReadonlyMap<string, NodeMetrics>> {
  const ids = [...nodes.keys()].sort();
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const weighted: WeightedEdges = {
    kind: WEIGHTED_EDGES,
    nodes: ids.length,
    ends: Int32Array.from(edges.flatMap(({ source, target }) => [placeOf.get(source)!, placeOf.get(target)!])),
    weights: Float64Array.from(edges, ({ weight }) => weight),
  };
  const isLarge = edges.length >= EDGES_OF_A_THREAD;
  const measured = isLarge
    ? await runInThread<MeasuredEdges>(PROGRAM, weighted, { party, limits: LIMITS })
    : measureEdges(weighted);
  const { degrees, ranks, communities } = measured;
  return new Map(
    ids.map((id, at) => [id, { degree: degrees[at]!, pagerank: ranks[at]!, community: communities[at]! }] as const),
  );
}
