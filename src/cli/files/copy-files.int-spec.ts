import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createObjectStorage, parseObjectKey, type ObjectStorage } from '#libs/object-storage';
import { copyFiles, removeCopied } from './copy-files.js';

const MAX = { maxBytes: 1 << 20 };
const KEYS = Array.from({ length: 9 }, (_, at) => parseObjectKey(`tenant/document${at}/revision`));
let base: string;
let from: ObjectStorage;
let to: ObjectStorage;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'move-files-'));
  from = await createObjectStorage({ kind: 'filesystem', directory: join(base, 'from') });
  to = await createObjectStorage({ kind: 'filesystem', directory: join(base, 'to') });
  for (const key of KEYS) await from.put(key, randomBytes(1_000), MAX);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const read = async (storage: ObjectStorage, key: (typeof KEYS)[number]): Promise<Buffer> =>
  buffer(await storage.get(key));

describe('copying files to another storage', () => {
  it('copies each byte for byte, and does nothing the second time', async () => {
    expect(await copyFiles(from, to)).toEqual({ copied: 9, copiedBytes: 9_000, present: 0, failed: [] });
    for (const key of KEYS) expect((await read(to, key)).equals(await read(from, key))).toBe(true);
    expect(await copyFiles(from, to)).toEqual({ copied: 0, copiedBytes: 0, present: 9, failed: [] });
  });

  it('goes on where it was cut off, and replaces what is there with other bytes', async () => {
    await to.put(KEYS[0]!, await from.get(KEYS[0]!), MAX);
    await to.put(KEYS[1]!, randomBytes(1_000), MAX);
    expect(await copyFiles(from, to)).toMatchObject({ copied: 8, present: 1, failed: [] });
    expect((await read(to, KEYS[1]!)).equals(await read(from, KEYS[1]!))).toBe(true);
  });

  it('names what is not in the target as it was sent', async () => {
    const lossy = new Proxy(to, {
      get: (target, name) => {
        if (name === 'get') return () => Promise.resolve(Readable.from([Buffer.from('other')]));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
    const { copied, failed } = await copyFiles(from, lossy);
    expect(copied).toBe(0);
    expect(failed.toSorted()).toEqual(KEYS);
  });

  it('removes from the source only what the target holds', async () => {
    await copyFiles(from, to);
    await to.delete(KEYS[4]!);
    await to.put(KEYS[5]!, randomBytes(1_000), MAX);
    expect(await removeCopied(from, to)).toBe(2);
    expect(await from.stat(KEYS[0]!)).toBeNull();
    for (const key of [KEYS[4]!, KEYS[5]!]) expect(await from.stat(key)).not.toBeNull();
  });
});
