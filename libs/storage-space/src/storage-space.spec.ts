import { describe, expect, it } from 'vitest';
import { GROWTH, growthOf } from './growth.js';
import { reserveOf } from './reserve.js';
import type { FullServer } from './space-needs.port.js';
import { StorageSpace } from './storage-space.js';
import { HeldNeeds, SetVolumes } from './testing/plenty-of-space.js';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

function setUp(free: number, { total = 1_000, reserveBytes = 100 } = {}) {
  const volumes = new SetVolumes([{ totalBytes: total, freeBytes: free }]);
  const needs = new HeldNeeds();
  let now = 0;
  const growth = { whole: 5, toCome: 4 };
  const space = new StorageSpace(volumes, needs, { reserveBytes, growth }, () => now);
  const later = (): void => {
    now += 10_000;
  };
  return { space, volumes, needs, later };
}

const LOW = { code: 'storage.low', status: 507 };

describe('the reserve', () => {
  it('is 5 % of the volume, at least 256 MiB, at most 10 GiB, never more than a quarter', () => {
    expect(reserveOf(20 * GIB)).toBe(GIB);
    expect(reserveOf(2 * GIB)).toBe(256 * MIB);
    expect(reserveOf(5_000 * GIB)).toBe(10 * GIB);
    expect(reserveOf(260 * MIB)).toBe(65 * MIB);
  });

  it('is what is configured, if something is', () => {
    expect(reserveOf(20 * GIB, 7)).toBe(7);
    expect(reserveOf(20 * GIB, 0)).toBe(0);
  });
});

describe('what a file grows to', () => {
  it('counts only what lies on the own volume', () => {
    const everything = growthOf({ files: true, database: true, vectors: true });
    expect(everything.toCome).toBe(GROWTH.database + GROWTH.vectors);
    expect(everything.whole).toBe(everything.toCome + 1);
    expect(growthOf({ files: true, database: false, vectors: false })).toEqual({ whole: 1, toCome: 0 });
    expect(growthOf({ files: false, database: false, vectors: false })).toEqual({ whole: 0, toCome: 0 });
  });
});

describe('StorageSpace', () => {
  it('refuses a file with which the volume would fall below its reserve, and says the figures', async () => {
    const { space } = setUp(150);
    await (await space.promise(10)).atLeast(10);
    await expect(space.promise(1)).rejects.toMatchObject({
      ...LOW,
      figures: { free_bytes: 150, reserve_bytes: 100, needed_bytes: 55 },
      retryAfter: 30,
    });
  });

  it('counts files that are asked for in the same moment against each other', async () => {
    const { space } = setUp(200);
    const asked = await Promise.allSettled(Array.from({ length: 25 }, () => space.promise(5)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('counts a file until the database knows of it, and then what is still to come of it', async () => {
    const { space, needs, later } = setUp(200);
    const promise = await space.promise(20);
    needs.waitingBytes = 20;
    promise.end();
    await expect(space.promise(1)).rejects.toMatchObject(LOW);
    later();
    await (await space.promise(4)).atLeast(4);
    needs.waitingBytes = 0;
    later();
    await space.promise(10);
  });

  it('forgets what was refused', async () => {
    const { space } = setUp(200);
    await expect(space.promise(21)).rejects.toMatchObject(LOW);
    await space.promise(20);
  });

  it('refuses a file that turns out too long while it is received', async () => {
    const { space } = setUp(200);
    const promise = await space.promise(0);
    await promise.atLeast(20);
    await expect(promise.atLeast(21)).rejects.toMatchObject(LOW);
  });

  it('takes files again by itself when space is free again', async () => {
    const { space, volumes, later } = setUp(99);
    await expect(space.promise(0)).rejects.toMatchObject(LOW);
    expect(await space.isLow()).toBe(true);
    volumes.spaces = [{ totalBytes: 1_000, freeBytes: 400 }];
    later();
    expect(await space.isLow()).toBe(false);
    await space.promise(0);
  });

  it('follows the volume that has least above its reserve', async () => {
    const { space, volumes } = setUp(1_000);
    volumes.spaces = [...volumes.spaces, { totalBytes: 300, freeBytes: 90 }];
    await expect(space.requireSpace()).rejects.toMatchObject({ figures: { free_bytes: 90 } });
  });

  it('refuses nothing when the reserve is 0, nor where nothing is written to a volume of ours', async () => {
    const none = setUp(0, { reserveBytes: 0 });
    none.needs.full.add('database');
    await (await none.space.promise(1e9)).atLeast(1e9);
    await none.space.requireSpace();
    const { space, volumes } = setUp(0);
    volumes.spaces = [];
    await expect(space.promise(1e9)).resolves.toBeDefined();
  });

  it.each<FullServer>(['database', 'object_storage', 'vector_store'])(
    'refuses files while %s is known to be full, and takes them when it is not',
    async (server) => {
      const { space } = setUp(900);
      await space.report(server);
      await expect(space.promise(0)).rejects.toMatchObject(LOW);
      await space.requireReserve();
      await space.withdraw(server);
      await space.promise(0);
    },
  );

  it('says that space is scarce when little is left above the reserve, and for a while after a refusal', async () => {
    const { space, volumes, later } = setUp(199);
    expect(await space.isScarce()).toBe(true);
    volumes.spaces = [{ totalBytes: 1_000, freeBytes: 500 }];
    later();
    expect(await space.isScarce()).toBe(false);
    await expect(space.promise(100)).rejects.toMatchObject(LOW);
    later();
    expect(await space.isScarce()).toBe(true);
  });
});
