import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { objectKey, type ObjectKey } from '../object-key.js';
import type { ObjectStorage } from '../object-storage.port.js';

const LIMIT = { maxBytes: 1 << 20 };

function newKey(): ObjectKey {
  return objectKey(newId(), newId(), newId());
}

function bytesOf(text: string): Readable {
  return Readable.from([Buffer.from(text)], { objectMode: false });
}

async function keysBelow(storage: ObjectStorage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
}

/** What every object storage does; `make` gives a store of its own, which may be empty or not. */
export function describeObjectStorage(name: string, make: () => Promise<ObjectStorage>): void {
  describe(`${name} as an ObjectStorage, whole objects`, () => {
    it('gives back the bytes that were put, with their size and hash', async () => {
      const storage = await make();
      const key = newKey();
      const content = randomBytes(300_000);
      const pieces = [content.subarray(0, 7), content.subarray(7, 100_000), content.subarray(100_000)];
      const stored = await storage.put(key, Readable.from(pieces, { objectMode: false }), LIMIT);
      expect(stored).toEqual({ sizeBytes: 300_000, sha256: createHash('sha256').update(content).digest('hex') });
      expect((await buffer(await storage.get(key))).equals(content)).toBe(true);
      expect(await storage.stat(key)).toMatchObject({ sizeBytes: 300_000, modifiedAt: expect.any(Date) });
    });

    it('takes bytes that the caller holds, and refuses too many of them', async () => {
      const storage = await make();
      const key = newKey();
      const content = randomBytes(5_000);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(await storage.put(key, content, LIMIT)).toEqual({ sizeBytes: 5_000, sha256 });
      expect((await buffer(await storage.get(key))).equals(content)).toBe(true);
      const other = newKey();
      await expect(storage.put(other, content, { maxBytes: 4_999 })).rejects.toMatchObject({
        code: 'storage.object_too_large',
      });
      expect(await storage.stat(other)).toBeNull();
    });

    it('keeps an empty object', async () => {
      const storage = await make();
      const key = newKey();
      expect(await storage.put(key, Readable.from([], { objectMode: false }), LIMIT)).toMatchObject({ sizeBytes: 0 });
      expect(await buffer(await storage.get(key))).toHaveLength(0);
    });

    it('replaces an object of the same key', async () => {
      const storage = await make();
      const key = newKey();
      await storage.put(key, bytesOf('first, and longer'), LIMIT);
      await storage.put(key, bytesOf('second'), LIMIT);
      expect((await buffer(await storage.get(key))).toString()).toBe('second');
    });

    it('refuses to replace an object where that is asked for', async () => {
      const storage = await make();
      const key = newKey();
      const write = (text: string) => storage.put(key, bytesOf(text), { ...LIMIT, ifAbsent: true });
      await write('first');
      await expect(write('late')).rejects.toMatchObject({ code: 'storage.object_exists', status: 409 });
      const large = Readable.from(
        Array.from({ length: 18 }, () => Buffer.alloc(1 << 20)),
        { objectMode: false },
      );
      const refused = storage.put(key, large, { maxBytes: 1 << 25, ifAbsent: true });
      await expect(refused).rejects.toMatchObject({ code: 'storage.object_exists' });
      expect((await buffer(await storage.get(key))).toString()).toBe('first');
      expect(await storage.removeUnfinished(new Date())).toBe(0);
      await storage.put(key, bytesOf('replaced'), LIMIT);
      expect((await buffer(await storage.get(key))).toString()).toBe('replaced');
    });

    it('keeps an object of many megabytes byte for byte, and gives ranges from anywhere in it', async () => {
      const storage = await make();
      const key = newKey();
      const content = randomBytes(20_000_001);
      const pieces = function* (): Generator<Buffer> {
        for (let at = 0; at < content.length; at += 99_991) yield content.subarray(at, at + 99_991);
      };
      const stored = await storage.put(key, Readable.from(pieces(), { objectMode: false }), { maxBytes: 1 << 25 });
      expect(stored).toEqual({ sizeBytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
      expect((await buffer(await storage.get(key))).equals(content)).toBe(true);
      const part = await buffer(await storage.get(key, { start: 8_388_600, end: 16_777_300 }));
      expect(part.equals(content.subarray(8_388_600, 16_777_301))).toBe(true);
      expect(await storage.removeUnfinished(new Date())).toBe(0);
    });

    it('leaves nothing of an object of many megabytes whose source breaks', async () => {
      const storage = await make();
      const key = newKey();
      const reason = new Error('the client went away');
      const broken = function* (): Generator<Buffer> {
        for (let sent = 0; sent < 20; sent += 1) yield Buffer.alloc(1 << 20, sent);
        throw reason;
      };
      const put = storage.put(key, Readable.from(broken(), { objectMode: false }), { maxBytes: 1 << 25 });
      await expect(put).rejects.toBe(reason);
      expect(await storage.stat(key)).toBeNull();
      expect(await keysBelow(storage, `${key.split('/')[0]}/`)).toEqual([]);
      expect(await storage.removeUnfinished(new Date())).toBe(0);
    });

    it('gives a range of the bytes, its end included and lowered to the last byte', async () => {
      const storage = await make();
      const key = newKey();
      await storage.put(key, bytesOf('0123456789'), LIMIT);
      const read = async (start: number, end?: number) =>
        (await buffer(await storage.get(key, { start, end }))).toString();
      expect(await read(2, 4)).toBe('234');
      expect(await read(7)).toBe('789');
      expect(await read(8, 99)).toBe('89');
      await expect(storage.get(key, { start: 10 })).rejects.toMatchObject({ code: 'storage.invalid_range' });
      await expect(storage.get(key, { start: 4, end: 3 })).rejects.toMatchObject({ code: 'storage.invalid_range' });
    });

    it('answers for an absent key: no stat, not found, and a delete that does nothing', async () => {
      const storage = await make();
      const key = newKey();
      expect(await storage.stat(key)).toBeNull();
      await expect(storage.get(key)).rejects.toMatchObject({ code: 'storage.object_not_found' });
      await expect(storage.withLocalFile(key, async () => 1)).rejects.toMatchObject({
        code: 'storage.object_not_found',
      });
      await expect(storage.delete(key)).resolves.toBeUndefined();
    });

    it('deletes an object, once or twice, and takes it again afterwards', async () => {
      const storage = await make();
      const key = newKey();
      await storage.put(key, bytesOf('x'), LIMIT);
      await storage.delete(key);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeNull();
      await storage.put(key, bytesOf('y'), LIMIT);
      expect(await storage.stat(key)).toMatchObject({ sizeBytes: 1 });
    });

    it('lends a local file and gives back what the work gives', async () => {
      const storage = await make();
      const key = newKey();
      await storage.put(key, bytesOf('local'), LIMIT);
      expect(await storage.withLocalFile(key, (path) => readFile(path, 'utf8'))).toBe('local');
    });

    it('lists what lies below a prefix and nothing else', async () => {
      const storage = await make();
      const [tenant, other] = [newId(), newId()];
      const [document, sibling] = [newId(), newId()];
      const keys = [objectKey(tenant as never, document as never, 1), objectKey(tenant as never, document as never, 2)];
      const beside = objectKey(tenant as never, sibling as never, 1);
      for (const key of [...keys, beside, objectKey(other as never, document as never, 1)]) {
        await storage.put(key, bytesOf('x'), LIMIT);
      }
      expect(await keysBelow(storage, `${tenant}/${document}/`)).toEqual(keys);
      expect(await keysBelow(storage, `${tenant}/`)).toEqual([...keys, beside].sort());
      expect(await keysBelow(storage, `${newId()}/`)).toEqual([]);
      expect(await keysBelow(storage, '')).toEqual(expect.arrayContaining([...keys, beside]));
    });

    it('is reachable', async () => {
      await expect((await make()).ping()).resolves.toBeUndefined();
    });
  });

  describe(`${name} as an ObjectStorage, when something goes wrong`, () => {
    it('refuses an object above the limit, takes one of exactly the limit, and leaves nothing of the first', async () => {
      const storage = await make();
      const key = newKey();
      const source = bytesOf('123456');
      await expect(storage.put(key, source, { maxBytes: 5 })).rejects.toMatchObject({
        code: 'storage.object_too_large',
        status: 413,
      });
      expect(source.destroyed).toBe(true);
      expect(await storage.stat(key)).toBeNull();
      await storage.put(key, bytesOf('12345'), { maxBytes: 5 });
      expect(await storage.stat(key)).toMatchObject({ sizeBytes: 5 });
    });

    it('rejects with the error of the source and keeps the earlier object', async () => {
      const storage = await make();
      const key = newKey();
      await storage.put(key, bytesOf('earlier'), LIMIT);
      const reason = new Error('the client went away');
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from('half');
        throw reason;
      }
      await expect(storage.put(key, Readable.from(broken(), { objectMode: false }), LIMIT)).rejects.toBe(reason);
      expect((await buffer(await storage.get(key))).toString()).toBe('earlier');
    });

    it('stops at an abort although the source says nothing more, and leaves nothing', async () => {
      const storage = await make();
      const key = newKey();
      const controller = new AbortController();
      const silent = new Readable({ read() {} });
      silent.push('half');
      const put = storage.put(key, silent, { ...LIMIT, signal: controller.signal });
      const reason = new Error('no longer wanted');
      setTimeout(() => controller.abort(reason), 20);
      await expect(put).rejects.toBe(reason);
      expect(await storage.stat(key)).toBeNull();
    });

    it('does not begin when the signal is aborted already', async () => {
      const storage = await make();
      const reason = new Error('no longer wanted');
      const signal = AbortSignal.abort(reason);
      await expect(storage.put(newKey(), bytesOf('x'), { ...LIMIT, signal })).rejects.toBe(reason);
      await expect(storage.get(newKey(), undefined, { signal })).rejects.toBe(reason);
    });

    it.each([
      '',
      'a',
      'a/b',
      'a/b/c/d',
      '../b/c',
      'a/../c',
      '/a/b/c',
      'a//c',
      'a/b/.tmp',
      'a/b/c\0',
      'a/b\\c/d',
      '.tmp/b/c',
    ])('refuses the key "%s"', async (key) => {
      const storage = await make();
      const refused = { code: 'storage.invalid_key' };
      await expect(storage.put(key as ObjectKey, bytesOf('x'), LIMIT)).rejects.toMatchObject(refused);
      await expect(storage.get(key as ObjectKey)).rejects.toMatchObject(refused);
      await expect(storage.delete(key as ObjectKey)).rejects.toMatchObject(refused);
    });

    it.each(['a', '/', '../', 'a/b/c/', 'a/../', './'])('refuses the prefix "%s"', async (prefix) => {
      await expect(keysBelow(await make(), prefix)).rejects.toMatchObject({ code: 'storage.invalid_key' });
    });

    it('survives puts and deletes of neighbours at the same time', async () => {
      const storage = await make();
      const [tenant, document] = [newId(), newId()];
      const rounds = Array.from({ length: 40 }, async (_, revision) => {
        const key = objectKey(tenant as never, document as never, revision);
        await storage.put(key, bytesOf(String(revision)), LIMIT);
        if (revision % 2 === 0) await storage.delete(key);
      });
      await Promise.all(rounds);
      expect(await keysBelow(storage, `${tenant}/`)).toHaveLength(20);
    });
  });
}
