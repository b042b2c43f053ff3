/** A counter after an increment. */
export interface CounterState {
  readonly value: number;
  /** Milliseconds until the counter begins anew, above 0. */
  readonly expiresInMs: number;
}

/**
 * Short-lived values that may be lost at any time: nothing here is the only copy of anything. Keys name their tenant
 * themselves (`ratelimit:<tenant>:…`); the cache is shared. Injection token. Implementations must pass `describeCache`.
 */
export abstract class Cache {
  /** The value, or null when it was never set, has expired or was dropped for space. @throws `cache.unavailable` */
  abstract get(key: string): Promise<string | null>;

  /** Keeps the value for at most `ttlMs` (a whole number above 0); replaces an earlier value and its time. @throws `cache.unavailable` */
  abstract set(key: string, value: string, ttlMs: number): Promise<void>;

  /**
   * Adds `by` (default 1) to a counter and answers its new value; atomic among all processes that share the cache. The first
   * increment starts the counter at 0 and its time of `ttlMs`; later ones leave the time as it is (a fixed window). `get` of
   * a counter answers its value as decimal text.
   * @throws `cache.unavailable`; an Error when the key holds a value that is no whole number.
   */
  abstract increment(key: string, ttlMs: number, by?: number): Promise<CounterState>;

  /** Forgets the key. Idempotent. @throws `cache.unavailable` */
  abstract delete(key: string): Promise<void>;

  /** Resolves when the cache answers. @throws `cache.unavailable` */
  abstract ping(): Promise<void>;

  /** Ends connections; called by the module at shutdown. */
  abstract close(): Promise<void>;
}
