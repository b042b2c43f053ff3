import { describe, expect, it } from 'vitest';
import { measureGraph } from './graph-metrics.js';
import type { GraphEdge, GraphNode, KnowledgeGraph } from './knowledge-graph.js';
import { measureEdges, WEIGHTED_EDGES } from './measured-edges.js';

const nodeOf = (id: string): GraphNode => ({ id, label: id, type: 'term', aliases: [], evidence: [] });
const idOf = (n: number): string => String(n).padStart(5, '0');

/** Rings of ten nodes; every hundredth edge goes to another ring. */
function ringsOf(edgeCount: number): KnowledgeGraph {
  const edges = Array.from({ length: edgeCount }, (_, n): GraphEdge => {
    const ring = 10 * Math.floor(n / 10);
    const target = n % 100 === 99 ? ring - 90 : ring + ((n + 1) % 10);
    return { source: idOf(n), target: idOf(target), relation: 'related_to', weight: 1 + (n % 3), evidence: [] };
  });
  const nodes = new Map(edges.map(({ source }) => [source, nodeOf(source)]));
  return { nodes, edges, truncated: false };
}

describe('metrics of a graph', () => {
  it.each([100, 5_000])('of %d edges are the same in this thread and in another one', async (count) => {
    const graph = ringsOf(count);
    const metrics = await measureGraph(graph);
    const ends = Int32Array.from(graph.edges.flatMap(({ source, target }) => [Number(source), Number(target)]));
    const weights = Float64Array.from(graph.edges, ({ weight }) => weight);
    const { degrees, ranks, communities } = measureEdges({ kind: WEIGHTED_EDGES, nodes: count, ends, weights });
    expect([...metrics.keys()]).toEqual([...graph.nodes.keys()].sort());
    expect([...metrics.values()]).toEqual(
      Array.from({ length: count }, (_, n) => ({
        degree: degrees[n],
        pagerank: ranks[n],
        community: communities[n],
      })),
    );
    const together = metrics.get(idOf(0))!.community;
    expect(metrics.get(idOf(5))!.community).toBe(together);
    expect(metrics.get(idOf(55))!.community).not.toBe(together);
  });

  it('of a large graph leave the thread free while they are computed', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await measureGraph(ringsOf(40_000));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  it('of nodes without edges are equal, and of no nodes none', async () => {
    const alone = await measureGraph({
      nodes: new Map(['a', 'b'].map((id) => [id, nodeOf(id)])),
      edges: [],
      truncated: false,
    });
    expect([...alone.values()]).toEqual([
      { degree: 0, pagerank: 0.5, community: 0 },
      { degree: 0, pagerank: 0.5, community: 1 },
    ]);
    expect((await measureGraph({ nodes: new Map(), edges: [], truncated: false })).size).toBe(0);
  });
});
