import { Cache, type CacheOutage, type CounterState } from '../cache.port.js';

export interface MemoryCacheOptions {
  /** The most entries; the one that was used longest ago goes first. Default 50,000. */
  readonly maxEntries?: number;
  /** The most UTF-16 units of keys and values together. Default 32 Mi (64 MiB of memory). */
  readonly maxChars?: number;
  /** Milliseconds of a steady clock. Default `performance.now()`. */
  readonly now?: () => number;
}

interface Entry {
  readonly value: string;
  /** By `now`. */
  readonly expiresAt: number;
}

/** A cache of this process alone: enough for one process, and for the embedded default. */
export class MemoryCache extends Cache {
  /** In the order of use, the one that was used longest ago first. */
  private readonly entries = new Map<string, Entry>();
  private readonly maxEntries: number;
  private readonly maxChars: number;
  private readonly now: () => number;
  private chars = 0;

  constructor(options: MemoryCacheOptions = {}) {
    super();
    this.maxEntries = options.maxEntries ?? 50_000;
    this.maxChars = options.maxChars ?? 32 * 1024 * 1024;
    this.now = options.now ?? (() => performance.now());
  }

  override get outage(): CacheOutage | null {
    return null;
  }

  async get(key: string): Promise<string | null> {
    const entry = this.touch(key);
    return entry === undefined ? null : entry.value;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.store(key, { value, expiresAt: this.now() + ttlMs });
  }

  async increment(key: string, ttlMs: number, by = 1): Promise<CounterState> {
    const entry = this.touch(key);
    const before = Number(entry?.value ?? 0);
    if (!Number.isSafeInteger(before)) throw new Error(`The cache key ${key} holds no whole number`);
    const value = before + by;
    const expiresAt = entry?.expiresAt ?? this.now() + ttlMs;
    this.store(key, { value: String(value), expiresAt });
    return { value, expiresInMs: Math.ceil(expiresAt - this.now()) };
  }

  async hold(key: string, holder: string, places: number, ttlMs: number, most = Infinity): Promise<boolean> {
    const now = this.now();
    const holders = JSON.parse(this.touch(key)?.value ?? '{}') as Record<string, { places: number; endsAt: number }>;
    const others = Object.entries(holders).filter(([name, { endsAt }]) => name !== holder && endsAt > now);
    if (others.reduce((sum, [, other]) => sum + other.places, places) > most) return false;
    const mine = places > 0 ? [[holder, { places, endsAt: now + ttlMs }]] : [];
    this.store(key, { value: JSON.stringify(Object.fromEntries([...others, ...mine])), expiresAt: now + ttlMs });
    return true;
  }

  async delete(key: string): Promise<void> {
    this.drop(key);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.entries.clear();
    this.chars = 0;
  }

  /** The living entry, moved to the end of the order of use. */
  private touch(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt <= this.now()) {
      this.drop(key);
      return undefined;
    }
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  private store(key: string, entry: Entry): void {
    this.drop(key);
    this.entries.set(key, entry);
    this.chars += key.length + entry.value.length;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries && this.chars <= this.maxChars) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.chars -= key.length + entry.value.length;
  }
}
