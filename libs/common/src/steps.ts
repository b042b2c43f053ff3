import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation that can pause wherever it yields; what it returns is its result. It yields often, after some thousand cheap operations. */
export type Steps<T> = Generator<void, T, void>;

/** How long one turn of a computation may hold the thread, in milliseconds. */
const TURN_MS = 5;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does it in turns of a few milliseconds; between two of them everything else that waits for the thread is served. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}
