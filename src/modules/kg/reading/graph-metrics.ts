import { runInThread } from '#libs/http';
import { measureEdges, WEIGHTED_EDGES, type MeasuredEdges, type WeightedEdges } from './measured-edges.js';
import type { KnowledgeGraph } from './knowledge-graph.js';

/** What a node's place in the whole graph says of it. */
export interface NodeMetrics {
  /** Nodes that it is joined with. */
  readonly degree: number;
  /** Between 0 and 1; all together 1. */
  readonly pagerank: number;
  /** Number of its community, from 0, the largest first. */
  readonly community: number;
}

const PROGRAM = new URL(`./measured-edges.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
/** Graphs with fewer edges are measured in some milliseconds. */
const EDGES_OF_A_THREAD = 500;
const LIMITS = { seconds: 60, heapMegabytes: 256 };

/**
 * Metrics of every node, over edges of either direction by their weight; the same graph gives the same numbers. The packages that compute
 * them cannot pause, so those of a large graph run in a thread.
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
