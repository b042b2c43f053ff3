import { UndirectedGraph } from 'graphology';
import type { GraphPart, MeasuredNode } from './graph-view.js';
import { forceAtlas2 } from './graphology-functions.js';

/** Where a node is drawn, in units of which a node is some 30 wide. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

type Spot = { x: number; y: number };
type Drawn = UndirectedGraph<Spot, { weight: number }>;

/** Iterations of the layout: as many as keep a graph of any size within about a second. */
const MOST_ITERATIONS = 300;
const FEWEST_ITERATIONS = 50;
const ITERATIONS_TIMES_NODES = 80_000;
/** The event loop waits for so much of it at a time. */
const TURN_TIMES_NODES = 8_000;
/** Nodes on a spiral with this angle between them are spread evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const SIDE_OF_NODE = 90;

/**
 * Places the nodes of a part by ForceAtlas2, beginning with each community around a centre of its own. Nothing is left to chance: the same part gives the
 * same positions. Others have their turn in between.
 */
export async function placeNodes({ nodes, edges }: Pick<GraphPart, 'nodes' | 'edges'>): Promise<readonly Position[]> {
  if (nodes.length === 0) return [];
  const graph: Drawn = new UndirectedGraph<Spot, { weight: number }>();
  const starts = startPositions(nodes);
  for (const [at, { id }] of nodes.entries()) graph.addNode(id, { ...starts[at]! });
  for (const { source, target, weight } of edges) {
    if (graph.hasEdge(source, target))
      graph.updateEdgeAttribute(source, target, 'weight', (sum) => (sum ?? 0) + weight);
    else graph.addEdge(source, target, { weight });
  }
  await settle(graph);
  return withinSquare(nodes.map(({ id }) => graph.getNodeAttributes(id)));
}

async function settle(graph: Drawn): Promise<void> {
  const all = Math.round(ITERATIONS_TIMES_NODES / graph.order);
  const turn = Math.max(1, Math.round(TURN_TIMES_NODES / graph.order));
  const settings = forceAtlas2.inferSettings(graph.order);
  let left = Math.min(MOST_ITERATIONS, Math.max(FEWEST_ITERATIONS, all));
  while (left > 0) {
    forceAtlas2.assign(graph, { iterations: Math.min(turn, left), settings });
    left -= turn;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Communities on a spiral, the largest in the middle, and the nodes of each on a spiral around its centre. */
function startPositions(nodes: readonly MeasuredNode[]): readonly Position[] {
  const members = new Map<number, number>();
  return nodes.map(({ community }) => {
    const place = members.get(community) ?? 0;
    members.set(community, place + 1);
    const centre = onSpiral(community, 10 * Math.sqrt(nodes.length));
    const around = onSpiral(place, 10);
    return { x: centre.x + around.x, y: centre.y + around.y };
  });
}

function onSpiral(place: number, unit: number): Position {
  const [radius, angle] = [unit * Math.sqrt(place), place * GOLDEN_ANGLE];
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** Whole numbers in a square that grows with the number of nodes; proportions stay. */
function withinSquare(positions: readonly Position[]): readonly Position[] {
  const [left, top] = [least(positions.map(({ x }) => x)), least(positions.map(({ y }) => y))];
  const extent = -least(positions.flatMap(({ x, y }) => [left - x, top - y]));
  const scale = extent > 0 ? (SIDE_OF_NODE * Math.sqrt(positions.length)) / extent : 0;
  return positions.map(({ x, y }) => ({ x: Math.round((x - left) * scale), y: Math.round((y - top) * scale) }));
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value), Infinity);
}
