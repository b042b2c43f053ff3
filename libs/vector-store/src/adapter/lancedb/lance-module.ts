import { availableParallelism } from 'node:os';

const THREADS_NEEDED = 4;

export type Lance = typeof import('@lancedb/lancedb');

let loading: Promise<Lance> | undefined;

/** LanceDB's module, loaded at the first call and only then, with its environment prepared. */
export function loadLance(): Promise<Lance> {
  if (loading === undefined) {
    prepareLanceEnvironment();
    loading = import('@lancedb/lancedb');
  }
  return loading;
}

/**
 * Prepares the environment that LanceDB's native part reads once, when it is loaded; call it before the import.
 *
 * `LANCE_CPU_THREADS`: LanceDB 0.31 waits for itself for ever while it builds a text index when its pool has one thread,
 * which is what it takes on a machine with one or two cores. A smaller value is raised, a larger one of the operator's is kept.
 * `LANCE_INCLUDE_VECTOR_CENTROIDS`: without it every look at an index's statistics carries its centroids and prints a warning.
 *
 * Beside `src/main.ts` the one file outside `libs/config` that touches `process.env`: the native library offers no other way in.
 */
function prepareLanceEnvironment(): void {
  const asked = Number(process.env['LANCE_CPU_THREADS']);
  if (!(asked >= THREADS_NEEDED)) {
    process.env['LANCE_CPU_THREADS'] = String(Math.max(THREADS_NEEDED, availableParallelism()));
  }
  process.env['LANCE_INCLUDE_VECTOR_CENTROIDS'] ??= 'false';
}
