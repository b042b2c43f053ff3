import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cache } from '../cache.port.js';

/** A cache under test, with a way to let its time pass. */
export interface CacheUnderTest {
  readonly cache: Cache;
  /** Lets that many milliseconds pass: by moving a clock, or by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

/** What every cache does; `make` is called once, the suite closes what it gives. */
export function describeCache(name: string, make: () => Promise<CacheUnderTest>): void {
  describe(`${name} as a Cache`, () => {
    let cache: Cache;
    let pass: CacheUnderTest['pass'];
    beforeAll(async () => {
      ({ cache, pass } = await make());
    });
    afterAll(() => cache.close());
    const newKey = (): string => `test:${randomUUID()}`;

    it('answers', async () => {
      await expect(cache.ping()).resolves.toBeUndefined();
    });

    it('gives back what was set, and null for what was not', async () => {
      const key = newKey();
      expect(await cache.get(key)).toBeNull();
      await cache.set(key, 'größer 水 🚀', 60_000);
      expect(await cache.get(key)).toBe('größer 水 🚀');
      await cache.set(key, '', 60_000);
      expect(await cache.get(key)).toBe('');
    });

    it('forgets a value after its time, counted from the last set', async () => {
      const key = newKey();
      await cache.set(key, 'a', 300);
      await pass(200);
      expect(await cache.get(key)).toBe('a');
      await cache.set(key, 'b', 300);
      await pass(200);
      expect(await cache.get(key)).toBe('b');
      await pass(200);
      expect(await cache.get(key)).toBeNull();
    });

    it('forgets a deleted key, once or twice', async () => {
      const key = newKey();
      await cache.set(key, 'a', 60_000);
      await cache.delete(key);
      await cache.delete(key);
      expect(await cache.get(key)).toBeNull();
    });

    it('counts, and answers the time that is left', async () => {
      const key = newKey();
      expect(await cache.increment(key, 60_000)).toMatchObject({ value: 1 });
      expect(await cache.increment(key, 60_000, 4)).toMatchObject({ value: 5 });
      const { value, expiresInMs } = await cache.increment(key, 60_000, -2);
      expect(value).toBe(3);
      expect(expiresInMs).toBeGreaterThan(50_000);
      expect(expiresInMs).toBeLessThanOrEqual(60_000);
      expect(await cache.get(key)).toBe('3');
    });

    it('begins a counter again after its window, which later increments do not lengthen', async () => {
      const key = newKey();
      await cache.increment(key, 300);
      await pass(200);
      expect(await cache.increment(key, 300)).toMatchObject({ value: 2 });
      await pass(200);
      expect(await cache.increment(key, 300)).toMatchObject({ value: 1 });
    });

    it('loses no increment of many at the same time', async () => {
      const key = newKey();
      const states = await Promise.all(Array.from({ length: 200 }, () => cache.increment(key, 60_000)));
      expect(new Set(states.map(({ value }) => value)).size).toBe(200);
      expect(await cache.get(key)).toBe('200');
    });

    it('counts the places of all holders, and takes no more than there are', async () => {
      const key = newKey();
      expect(await cache.hold(key, 'one', 2, 60_000, 3)).toBe(true);
      expect(await cache.hold(key, 'other', 2, 60_000, 3)).toBe(false);
      expect(await cache.hold(key, 'other', 1, 60_000, 3)).toBe(true);
      expect(await cache.hold(key, 'one', 3, 60_000, 3)).toBe(false);
      expect(await cache.hold(key, 'one', 0, 60_000)).toBe(true);
      expect(await cache.hold(key, 'other', 3, 60_000, 3)).toBe(true);
    });

    it('forgets the places of a holder that says nothing more, and keeps those of the others', async () => {
      const key = newKey();
      await cache.hold(key, 'dead', 3, 300, 3);
      await pass(200);
      await cache.hold(key, 'alive', 0, 300);
      expect(await cache.hold(key, 'alive', 1, 300, 3)).toBe(false);
      await pass(200);
      expect(await cache.hold(key, 'alive', 3, 300, 3)).toBe(true);
    });

    it('gives no place twice to many at the same time', async () => {
      const key = newKey();
      const held = await Promise.all(
        Array.from({ length: 50 }, (_, holder) => cache.hold(key, String(holder), 1, 60_000, 20)),
      );
      expect(held.filter(Boolean)).toHaveLength(20);
    });

    it('refuses to count on a value that is no number, and keeps it', async () => {
      const key = newKey();
      await cache.set(key, 'text', 60_000);
      await expect(cache.increment(key, 60_000)).rejects.toThrow();
      expect(await cache.get(key)).toBe('text');
    });
  });
}
