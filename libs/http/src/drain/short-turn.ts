import { setImmediate as turn } from 'node:timers/promises';

const SHORT_MS = 1;
/** After which a loop that is never that quick is waited for no longer. */
const GIVEN_UP_MS = 250;

/**
 * Resolves when the event loop has just gone round within a millisecond and no connection was taken in it: what had reached the process
 * until then, connections and bytes of them, has been taken from the system. What is closed right after it is not closed over them,
 * however busy the process was before. A turn takes at most one of the connections that wait, so `taken`, how many there have been, is
 * looked at as well.
 */
export async function shortTurn(taken: () => number): Promise<void> {
  const end = performance.now() + GIVEN_UP_MS;
  await turn();
  for (let [began, before] = [performance.now(), taken()]; ;) {
    await turn();
    const [now, after] = [performance.now(), taken()];
    if ((now - began <= SHORT_MS && after === before) || now >= end) return;
    [began, before] = [now, after];
  }
}
