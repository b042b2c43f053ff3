import { runInThread } from '#libs/http';
import { FORCES, placeByForces, type Forces } from './graph-forces.js';
import type { GraphPart, MeasuredNode } from './graph-view.js';

/** Position of a node in the drawing; a node is about 30 units wide. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

const PROGRAM = new URL(`./graph-forces.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
/** Parts with fewer nodes are placed sooner than a thread starts. */
const NODES_OF_A_THREAD = 30;
const LIMITS = { seconds: 60, heapMegabytes: 256 };
/** Nodes on a spiral with this angle between them are spread evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const SIDE_OF_NODE = 90;

/**
 * Places the nodes of a part by ForceAtlas2, beginning with each community around a centre of its own. It is deterministic: the same part gives
 * the same positions. Larger parts are placed in a thread, which tenants use in turns.
 */
export async function placeNodes(
  { nodes, edges }: Pick<GraphPart, 'nodes' | 'edges'>,
  party?: string,
): Promise<readonly Position[]> {
  if (nodes.length === 0) return [];
  const numberOf = new Map(nodes.map(({ id }, number) => [id, number]));
  const forces: Forces = {
    kind: FORCES,
    starts: Float64Array.from(startPositions(nodes).flatMap(({ x, y }) => [x, y])),
    ends: Int32Array.from(edges.flatMap(({ source, target }) => [numberOf.get(source)!, numberOf.get(target)!])),
    weights: Float64Array.from(edges, ({ weight }) => weight),
  };
  const isLarge = nodes.length >= NODES_OF_A_THREAD;
  const placed = isLarge
    ? await runInThread<Float64Array>(PROGRAM, forces, { party, limits: LIMITS })
    : placeByForces(forces);
  return withinSquare(nodes.map((_, at) => ({ x: placed[2 * at]!, y: placed[2 * at + 1]! })));
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
