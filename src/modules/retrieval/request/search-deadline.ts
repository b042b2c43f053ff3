import { withDeadline } from '#libs/common';
import { retrievalErrors } from '../retrieval.errors.js';

/** A search gives up after this long. */
export const DEADLINE_MS = 10_000;
/** Before its own time begins it waits this long for what all searches of its datasets share and a start has not made yet. */
export const PREPARATION_MS = 40_000;

/** What every search that is over says to what still works for it; one for all, since each would cost a trace of the stack. */
const OVER = new DOMException('The search is over.', 'AbortError');

/**
 * Runs `work` with a signal that fires after `ms`, with the caller's signal, or when `work` has ended.
 * @throws `retrieval.timeout`; what `work` throws
 */
export async function withinDeadline<T>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  ms = DEADLINE_MS,
): Promise<T> {
  const ended = new AbortController();
  const signal = outer === undefined ? ended.signal : AbortSignal.any([ended.signal, outer]);
  signal.throwIfAborted();
  const giveUp = (): Error => {
    const error = retrievalErrors.timeout(ms / 1000);
    ended.abort(error);
    return error;
  };
  try {
    return await withDeadline(work(signal), ms, giveUp);
  } finally {
    ended.abort(OVER);
  }
}
