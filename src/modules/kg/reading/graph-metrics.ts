import { UndirectedGraph } from 'graphology';
import { seededRandom } from '#libs/text';
import { louvain, pagerank } from './graphology-functions.js';
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

const SEED = 'communities';

/** Metrics of every node, over edges of either direction by their weight; the same graph gives the same numbers. */
export function measureGraph({ nodes, edges }: KnowledgeGraph): ReadonlyMap<string, NodeMetrics> {
  const graph = new UndirectedGraph<object, { weight: number }>();
  for (const id of [...nodes.keys()].sort()) graph.addNode(id);
  for (const { source, target, weight } of edges) {
    if (graph.hasEdge(source, target))
      graph.updateEdgeAttribute(source, target, 'weight', (sum) => (sum ?? 0) + weight);
    else graph.addEdge(source, target, { weight });
  }
  if (graph.order === 0) return new Map();
  const alone = new Map([...nodes.keys()].map((id) => [id, 1 / graph.order]));
  const ranks = graph.size === 0 ? alone : new Map(Object.entries(pagerank(graph, { getEdgeWeight: 'weight' })));
  const communities = communitiesOf(graph);
  return new Map(
    graph.nodes().map((id) => [
      id,
      {
        degree: graph.degree(id),
        pagerank: Math.round(ranks.get(id)! * 1e8) / 1e8,
        community: communities.get(id)!,
      },
    ]),
  );
}

function communitiesOf(graph: UndirectedGraph<object, { weight: number }>): ReadonlyMap<string, number> {
  if (graph.size === 0) return new Map(graph.nodes().map((id, at) => [id, at]));
  const found = Object.entries(louvain(graph, { getEdgeWeight: 'weight', rng: seededRandom(SEED) }));
  const members = Map.groupBy(found, ([, community]) => community);
  const bySize = [...members.values()].sort((a, b) => b.length - a.length || (a[0]![0] < b[0]![0] ? -1 : 1));
  return new Map(bySize.flatMap((group, number) => group.map(([id]) => [id, number] as const)));
}
