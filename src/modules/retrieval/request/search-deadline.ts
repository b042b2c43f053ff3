import { withDeadline } from '#libs/common';
import { retrievalErrors } from '../retrieval.errors.js';

/** Milliseconds after which a search is stopped. */
export const DEADLINE_MS = 10_000;
/**
 * The same for one that begins while what its datasets hold is not in memory yet, as after a start: it waits for what is counted, and then reads and
 * counts the words of its candidates itself, which takes seconds where many do so at once and processors are busy.
 */
export const FIRST_DEADLINE_MS = 40_000;

/** What every search that is over says to what still works for it; one for all, since each would cost a trace of the stack. */
const OVER = new DOMException('The search is over.', 'AbortError');

/**
 * Runs `work` with a signal that is aborted after `ms`, together with the caller's signal, or when `work` has ended.
 * @throws `retrieval.timeout`; what `work` throws
 */
export async function withinDeadline<T>(
  outer: AbortSignal | undefined,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
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
