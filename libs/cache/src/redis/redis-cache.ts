import { Redis } from 'ioredis';
import { CatalogueError } from '#libs/common';
import { Cache, type CacheOutage, type CounterState } from '../cache.port.js';
import { LocalCounters } from '../local-counters.js';
import { DEADLINE_MS, RedisLink, type LinkEvents } from './redis-link.js';

/** Milliseconds between two tries to connect again, at most. */
const RECONNECT_MS = 2_000;

/** One step for the server: a counter that is new, or that has no end, gets one. Answers value and remaining milliseconds. */
const INCREMENT = `
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {value, left}`;

/** Places of a holder: a field of a hash, `places:end`, in the server's own time. Those that have ended are removed by anyone who comes next. */
const HOLD = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sum = tonumber(ARGV[2])
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local places, ends = string.match(all[i + 1], '^(%d+):(%d+)$')
  if tonumber(ends) <= now then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then sum = sum + tonumber(places) end
end
if ARGV[4] ~= '' and sum > tonumber(ARGV[4]) then return 0 end
if ARGV[2] == '0' then redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. string.format('%.0f', now + ARGV[3]))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1`;

export interface RedisCacheOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Is before every key, so that several services can share a server. */
  readonly keyPrefix: string;
  /** Told when the server is away and when it is back; the client connects again by itself. */
  readonly events: LinkEvents;
}

/** A cache that all processes of a deployment share. While the server is away each process goes on counting by itself. */
export class RedisCache extends Cache {
  private readonly client: Redis;
  private readonly link: RedisLink;
  private readonly own = new LocalCounters();

  constructor(options: RedisCacheOptions) {
    super();
    this.client = new Redis(options.url, {
      keyPrefix: options.keyPrefix,
      maxRetriesPerRequest: 1,
      connectTimeout: DEADLINE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MS),
    });
    this.link = new RedisLink(this.client, options.events);
  }

  override get outage(): CacheOutage | null {
    return this.link.outage;
  }

  get(key: string): Promise<string | null> {
    return this.link.ask(() => this.client.get(key));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.link.ask(() => this.client.set(key, value, 'PX', ttlMs));
  }

  async increment(key: string, ttlMs: number, by = 1): Promise<CounterState> {
    const owed = this.own.takeOwed(key);
    try {
      const [value, expiresInMs] = (await this.link.ask(() =>
        this.client.eval(INCREMENT, 1, key, by + owed, ttlMs),
      )) as [number, number];
      this.own.note(key, { value, expiresInMs });
      return { value, expiresInMs };
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      return this.own.count(key, by, ttlMs, owed);
    }
  }

  async hold(key: string, holder: string, places: number, ttlMs: number, most?: number): Promise<boolean> {
    const given = [holder, String(places), String(ttlMs), most === undefined ? '' : String(most)];
    return (await this.link.ask(() => this.client.eval(HOLD, 1, key, ...given))) === 1;
  }

  async delete(key: string): Promise<void> {
    this.own.forget(key);
    await this.link.ask(() => this.client.del(key));
  }

  ping(): Promise<void> {
    return this.link.ping();
  }

  async close(): Promise<void> {
    this.own.clear();
    this.link.close();
  }
}
