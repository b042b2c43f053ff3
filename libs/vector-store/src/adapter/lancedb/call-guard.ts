import { CatalogueError, withDeadline, storageLowOf } from '#libs/common';
import { vectorStoreErrors } from '../../vector-store.errors.js';
import type { CallOptions } from '../../vector-store.port.js';

/** What each call is named by in `vector_store.unavailable`. */
export type Operation =
  | 'ensure_index'
  | 'write'
  | 'update_metadata'
  | 'remove'
  | 'list_ids'
  | 'count'
  | 'drop_index'
  | 'search_keyword'
  | 'search_vector'
  | 'ping';

/** LanceDB ends what takes so much longer than the deadline, so that it is the deadline that a caller hears of. */
const GRACE_MS = 1_000;

/**
 * Runs a call under its deadline and signal. The signal's reason rejects as it is; whatever LanceDB throws becomes
 * `vector_store.unavailable` with the original as cause, since its messages name files; a full disk becomes `storage.low`. The work itself cannot be stopped
 * and goes on unseen; a query gets its own end a little later.
 */
export async function guarded<T>(
  operation: Operation,
  options: CallOptions | undefined,
  defaultDeadlineMs: number,
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const signal = options?.signal;
  signal?.throwIfAborted();
  const timeoutMs = options?.deadlineMs ?? defaultDeadlineMs;
  const outcome = work(timeoutMs + GRACE_MS).catch((error: unknown) => {
    throw error instanceof CatalogueError
      ? error
      : (storageLowOf(error) ?? vectorStoreErrors.unavailable({ operation, reason: 'the engine failed' }, error));
  });
  const tooLate = (): Error => vectorStoreErrors.unavailable({ operation, reason: `no answer within ${timeoutMs} ms` });
  return await withDeadline(signal === undefined ? outcome : untilAborted(outcome, signal), timeoutMs, tooLate);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
