/**
 * Runs in a thread of its own for larger parts, since an iteration of the layout takes long. Imports packages only, so that the thread starts
 * both from the sources and from the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { UndirectedGraph } from 'graphology';
import forceAtlas2Export from 'graphology-layout-forceatlas2';

// The package is CommonJS whose exported value is the function itself, while its types tell of a `default` member of it.
const forceAtlas2 = forceAtlas2Export as unknown as typeof forceAtlas2Export.default;

/** Marks a thread that was started to place nodes. */
export const FORCES = 'graph-forces';

/** Numbered nodes with their first positions, and the edges between them, as data that can be passed to a thread. */
export interface Forces {
  readonly kind: typeof FORCES;
  /** x and y of each node. */
  readonly starts: Float64Array;
  /** Two numbers for each edge. */
  readonly ends: Int32Array;
  readonly weights: Float64Array;
}

type Spot = { x: number; y: number };

/** Iterations of the layout: as many as keep a graph of any size within about a second. */
const MOST_ITERATIONS = 300;
const FEWEST_ITERATIONS = 50;
const ITERATIONS_TIMES_NODES = 80_000;
/** Number of iterations after which the forces are reset, by the number of nodes. */
const TURN_TIMES_NODES = 8_000;

/** Places nodes by ForceAtlas2 and gives x and y of each; deterministic. */
export function placeByForces({ starts, ends, weights }: Omit<Forces, 'kind'>): Float64Array {
  const graph = new UndirectedGraph<Spot, { weight: number }>();
  for (let node = 0; 2 * node < starts.length; node += 1)
    graph.addNode(node, { x: starts[2 * node]!, y: starts[2 * node + 1]! });
  for (const [at, weight] of weights.entries()) {
    const [source, target] = [ends[2 * at]!, ends[2 * at + 1]!];
    if (graph.hasEdge(source, target))
      graph.updateEdgeAttribute(source, target, 'weight', (sum) => (sum ?? 0) + weight);
    else graph.addEdge(source, target, { weight });
  }
  const all = Math.round(ITERATIONS_TIMES_NODES / graph.order);
  const turn = Math.max(1, Math.round(TURN_TIMES_NODES / graph.order));
  const settings = forceAtlas2.inferSettings(graph.order);
  for (let left = Math.min(MOST_ITERATIONS, Math.max(FEWEST_ITERATIONS, all)); left > 0; left -= turn)
    forceAtlas2.assign(graph, { iterations: Math.min(turn, left), settings });
  return Float64Array.from(
    graph.nodes().flatMap((node) => {
      const { x, y } = graph.getNodeAttributes(node);
      return [x, y];
    }),
  );
}

const given = workerData as Partial<Forces> | null;
if (given?.kind === FORCES) parentPort?.postMessage(placeByForces(given as Forces));
