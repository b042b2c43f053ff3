import type { CounterState } from './cache.port.js';

interface OwnCounter {
  readonly value: number;
  /** What was counted here and the shared counter has not been told; part of `value`. */
  readonly owed: number;
  /** By `now`. */
  readonly expiresAt: number;
}

/** The most counters; the one that was used longest ago goes first. */
const MOST = 50_000;

/**
 * What this process knows of shared counters, to count by itself while it cannot reach them: it goes on from the last value that it
 * was told, and what it counted alone is added to the shared counter as soon as that is reached within its window.
 */
export class LocalCounters {
  /** In the order of use, the one that was used longest ago first. */
  private readonly counters = new Map<string, OwnCounter>();

  /** @param now milliseconds of a steady clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts here, in a window of `ttlMs` that the first count begins; `owed` is what `takeOwed` gave and was not told. */
  count(key: string, by: number, ttlMs: number, owed = 0): CounterState {
    const now = this.now();
    const known = this.find(key);
    const value = (known?.value ?? owed) + by;
    const expiresAt = known?.expiresAt ?? now + ttlMs;
    this.keep(key, { value, owed: (known?.owed ?? 0) + owed + by, expiresAt });
    return { value, expiresInMs: Math.ceil(expiresAt - now) };
  }

  /** What the shared counter has still to be told. The caller tells it, or gives it back to `count`. */
  takeOwed(key: string): number {
    const known = this.find(key);
    if (known === undefined || known.owed === 0) return 0;
    this.keep(key, { ...known, owed: 0 });
    return known.owed;
  }

  /** Notes what the shared counter says. */
  note(key: string, { value, expiresInMs }: CounterState): void {
    const owed = this.find(key)?.owed ?? 0;
    this.keep(key, { value: value + owed, owed, expiresAt: this.now() + expiresInMs });
  }

  forget(key: string): void {
    this.counters.delete(key);
  }

  clear(): void {
    this.counters.clear();
  }

  private find(key: string): OwnCounter | undefined {
    const known = this.counters.get(key);
    return known === undefined || known.expiresAt <= this.now() ? undefined : known;
  }

  private keep(key: string, counter: OwnCounter): void {
    this.counters.delete(key);
    this.counters.set(key, counter);
    if (this.counters.size > MOST) this.counters.delete(this.counters.keys().next().value!);
  }
}
