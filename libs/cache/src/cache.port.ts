/** A counter after an increment. */
export interface CounterState {
  readonly value: number;
  /** Milliseconds until the counter begins again, above 0. */
  readonly expiresInMs: number;
}

/** A time in which processes cannot tell each other anything. */
export interface CacheOutage {
  readonly since: Date;
  /** Why, for operators; no secrets. */
  readonly reason: string;
}

/**
 * Short-lived values that may be lost at any time: nothing here is the only copy of anything. Keys name their tenant
 * themselves (`ratelimit:<tenant>:…`); the cache is shared. Injection token. Implementations must pass `describeCache`.
 */
export abstract class Cache {
  /**
   * Not null while a shared cache is away. What one process may only remember as long as another one can tell it of a change (a
   * membership, a right) must not be remembered then.
   */
  abstract get outage(): CacheOutage | null;

  /** The value, or null when it was never set, has expired or was dropped for space. @throws `cache.unavailable` */
  abstract get(key: string): Promise<string | null>;

  /** Keeps the value for at most `ttlMs` (a whole number above 0); replaces an earlier value and its time. @throws `cache.unavailable` */
  abstract set(key: string, value: string, ttlMs: number): Promise<void>;

  /**
   * Adds `by` (default 1) to a counter and answers its new value; atomic among all processes that share the cache. The first
   * increment starts the counter at 0 and its time of `ttlMs`; later ones leave the time as it is (a fixed window). `get` of
   * a counter answers its value as decimal text. While a shared cache is away each process counts for itself, from the last value
   * that it was told, and adds what it counted to the shared counter afterwards: nothing goes uncounted, and no one waits.
   * @throws an Error when the key holds a value that is no whole number.
   */
  abstract increment(key: string, ttlMs: number, by?: number): Promise<CounterState>;

  /**
   * Says how many places `holder` has under `key` (0 gives them back), for at most `ttlMs` unless it says so again. False, and nothing
   * is changed, when all holders together would have more than `most`; without `most` it is always taken. Atomic among all processes
   * that share the cache. @throws `cache.unavailable`
   */
  abstract hold(key: string, holder: string, places: number, ttlMs: number, most?: number): Promise<boolean>;

  /** Forgets the key. Idempotent. @throws `cache.unavailable` */
  abstract delete(key: string): Promise<void>;

  /** Resolves when the cache takes values. @throws `cache.unavailable` */
  abstract ping(): Promise<void>;

  /** Ends connections; called by the module at shutdown. */
  abstract close(): Promise<void>;
}
