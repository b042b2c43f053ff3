import { CatalogueError, storageLow } from '#libs/common';
import { vectorStoreErrors } from '../../vector-store.errors.js';
import type { CallOptions } from '../../vector-store.port.js';
import { EngineFailure, type EngineLimits } from './engine-transport.js';

/** A running call, whose requests share one signal and one deadline. */
export interface EngineCall {
  readonly signal: AbortSignal;
  /** What a request that begins now may take. */
  readonly limits: () => EngineLimits;
}

const LEAST_MS = 1;

/**
 * Runs a call under its deadline and the caller's signal. When either ends it, its requests are given up at once. The signal's
 * reason rejects as it is; a failure of the engine becomes `vector_store.unavailable`, or
 * `storage.low` where its disks are full.
 */
export async function engineCall<T>(
  operation: string,
  options: CallOptions | undefined,
  defaultDeadlineMs: number,
  work: (call: EngineCall) => Promise<T>,
): Promise<T> {
  options?.signal?.throwIfAborted();
  const deadlineMs = options?.deadlineMs ?? defaultDeadlineMs;
  const endsAt = performance.now() + deadlineMs;
  const ending = new AbortController();
  const tooLate = vectorStoreErrors.unavailable({ operation, reason: `no answer within ${deadlineMs} ms` });
  // Kept here, too: the clients of the engines are given the signal, and what they do with it is theirs.
  let endedBy: Error = tooLate;
  const timer = setTimeout(() => ending.abort(tooLate), deadlineMs);
  const giveUp = (): void => {
    endedBy = options?.signal?.reason as Error;
    ending.abort(endedBy);
  };
  options?.signal?.addEventListener('abort', giveUp, { once: true });
  const { signal } = ending;
  const limits = (): EngineLimits => ({ signal, timeoutMs: Math.max(LEAST_MS, Math.ceil(endsAt - performance.now())) });
  try {
    return await untilAborted(work({ signal, limits }), signal, () => endedBy);
  } catch (error) {
    if (signal.aborted) throw endedBy;
    throw translate(operation, error);
  } finally {
    clearTimeout(timer);
    options?.signal?.removeEventListener('abort', giveUp);
    // Requests that no one waits for any more.
    ending.abort(tooLate);
  }
}

function translate(operation: string, error: unknown): unknown {
  if (error instanceof CatalogueError || !(error instanceof EngineFailure)) return error;
  if (error.isFull) return storageLow('vector_store', { cause: error });
  return vectorStoreErrors.unavailable({ operation, reason: error.reason }, error);
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal, reason: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(reason()), { once: true });
    work.then(resolve, reject);
  });
}
