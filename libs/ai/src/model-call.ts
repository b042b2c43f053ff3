/**
 * What every call of a model takes. An adapter that leaves the process gives each request a deadline of its own, stops it
 * when `signal` is aborted, and is never called while a database transaction is open: a slow provider would hold locks.
 */
export interface ModelCallOptions {
  /** Stops the call; the promise (or the iteration) then rejects with `signal.reason`. */
  readonly signal?: AbortSignal;
}

/**
 * Wraps an adapter in one that does the same and one thing more: retry, cache, batching, circuit breaker, metrics.
 * A decorator keeps the descriptor and must pass the conformance suite of its port; decorators are applied in the module,
 * so that no caller and no adapter knows of them.
 */
export type ModelDecorator<Port> = (inner: Port) => Port;
