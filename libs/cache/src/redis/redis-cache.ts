import { Redis } from 'ioredis';
import { withDeadline } from '#libs/common';
import { cacheErrors } from '../cache.errors.js';
import { Cache, type CounterState } from '../cache.port.js';

/** Milliseconds for one answer; a cache that is slower than this is no help. */
const DEADLINE_MS = 1_000;
/** Milliseconds between two tries to connect again, at most. */
const RECONNECT_MS = 2_000;
/** Seconds after which a caller may try again. */
const RETRY_AFTER = 5;

/** One step for the server: a counter that is new, or that has no end, gets one. Answers value and remaining milliseconds. */
const INCREMENT = `
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {value, left}`;

export interface RedisCacheOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Stands before every key, so that several services can share a server. */
  readonly keyPrefix: string;
  /** Told of every lost connection; the client connects again by itself. */
  readonly onConnectionError: (error: Error) => void;
}

/** A cache that all processes of a deployment share. */
export class RedisCache extends Cache {
  private readonly client: Redis;

  constructor(options: RedisCacheOptions) {
    super();
    this.client = new Redis(options.url, {
      keyPrefix: options.keyPrefix,
      maxRetriesPerRequest: 1,
      connectTimeout: DEADLINE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MS),
    });
    this.client.on('error', options.onConnectionError);
  }

  get(key: string): Promise<string | null> {
    return this.call(this.client.get(key));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.call(this.client.set(key, value, 'PX', ttlMs));
  }

  async increment(key: string, ttlMs: number, by = 1): Promise<CounterState> {
    const [value, expiresInMs] = (await this.call(this.client.eval(INCREMENT, 1, key, by, ttlMs))) as [number, number];
    return { value, expiresInMs };
  }

  async delete(key: string): Promise<void> {
    await this.call(this.client.del(key));
  }

  async ping(): Promise<void> {
    await this.call(this.client.ping());
  }

  async close(): Promise<void> {
    this.client.disconnect();
  }

  private async call<T>(command: Promise<T>): Promise<T> {
    try {
      return await withDeadline(command, DEADLINE_MS, () => new Error(`no answer within ${DEADLINE_MS} ms`));
    } catch (error) {
      // The server refused the command itself: it is reachable, and a second try would fail alike.
      if (error instanceof Error && error.name === 'ReplyError') throw error;
      throw cacheErrors.unavailable({}, { retryAfter: RETRY_AFTER, cause: error });
    }
  }
}
