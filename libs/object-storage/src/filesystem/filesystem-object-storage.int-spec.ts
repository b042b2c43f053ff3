import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer as bufferOf, text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseObjectKey } from '../object-key.js';
import { FilesystemObjectStorage } from './filesystem-object-storage.js';
import { asStorageError } from './storage-failure.js';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'object-storage-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function newDirectory(): Promise<string> {
  return join(await mkdtemp(join(base, 'root-')), 'objects');
}

const KEY = parseObjectKey('tenant/document/1');
const bytes = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });

describe('FilesystemObjectStorage', () => {
  it('lets only its own user read folders and files', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await storage.put(KEY, bytes('x'), { maxBytes: 10 });
    const modes = await Promise.all(['', 'tenant', 'tenant/document', KEY].map((path) => stat(join(root, path))));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '700', '600']);
  });

  it('lets one of several writers make an object that must not be there yet', async () => {
    const storage = await FilesystemObjectStorage.open(await newDirectory());
    const write = (at: number) => storage.put(KEY, bytes(`writer ${at}`), { maxBytes: 20, ifAbsent: true });
    const done = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => write(at)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = done.findIndex(({ status }) => status === 'fulfilled');
    expect(await textOf(await storage.get(KEY))).toBe(`writer ${winner}`);
  });

  it('leaves no temporary file behind, whether a put succeeds or fails', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await storage.put(KEY, bytes('x'), { maxBytes: 10 });
    await expect(storage.put(KEY, bytes('too long'), { maxBytes: 2 })).rejects.toThrow();
    await expect(storage.put(KEY, bytes('x'), { maxBytes: 2, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await readdir(join(root, '.tmp'))).toEqual([]);
  });

  it('removes temporary files of crashed uploads when it opens, but not those of the last hour', async () => {
    const root = await newDirectory();
    await FilesystemObjectStorage.open(root);
    const [old, fresh] = [join(root, '.tmp', 'old'), join(root, '.tmp', 'fresh')];
    await writeFile(old, 'x');
    await writeFile(fresh, 'x');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await FilesystemObjectStorage.open(root);
    expect(await readdir(join(root, '.tmp'))).toEqual(['fresh']);
  });

  it('removes the folders that a delete empties, up to the tenant', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await storage.put(KEY, bytes('x'), { maxBytes: 10 });
    await storage.delete(KEY);
    expect(await readdir(root)).toEqual(['.tmp']);
  });

  describe('of texts', () => {
    const text = Array.from({ length: 30_000 }, (_, n) => `The keeper counts lamp ${n}.\n`).join('');
    const limit = { maxBytes: 1 << 24 };
    const put = async (storage: FilesystemObjectStorage, content: string | Buffer) => {
      const all = Buffer.from(content);
      const pieces = [all.subarray(0, 5_000), all.subarray(5_000)];
      return storage.put(KEY, Readable.from(pieces, { objectMode: false }), limit);
    };

    it('takes less than half of them, and says and gives all the same', async () => {
      const root = await newDirectory();
      const storage = await FilesystemObjectStorage.open(root);
      const stored = await put(storage, text);
      expect(stored).toEqual({ sizeBytes: text.length, sha256: hash('sha256', text) });
      expect((await stat(join(root, KEY))).size).toBeLessThan(text.length / 2);
      expect(await storage.stat(KEY)).toMatchObject({ sizeBytes: text.length });
      expect(await textOf(await storage.get(KEY))).toBe(text);
      for (const range of [{ start: 0, end: 0 }, { start: 65_530, end: 200_001 }, { start: text.length - 3 }])
        expect(await textOf(await storage.get(KEY, range))).toBe(
          text.slice(range.start, (range.end ?? text.length) + 1),
        );
      await expect(storage.get(KEY, { start: text.length })).rejects.toMatchObject({ code: 'storage.invalid_range' });
      // The same of bytes at hand.
      await storage.put(KEY, Buffer.from(text), limit);
      expect((await stat(join(root, KEY))).size).toBeLessThan(text.length / 2);
      expect(await textOf(await storage.get(KEY))).toBe(text);
    });

    it('lends a copy as it was stored, which goes again, also when the work fails', async () => {
      const root = await newDirectory();
      const storage = await FilesystemObjectStorage.open(root);
      await put(storage, text);
      expect(await storage.withLocalFile(KEY, (path) => readFile(path, 'utf8'))).toBe(text);
      await expect(storage.withLocalFile(KEY, () => Promise.reject(new Error('parser')))).rejects.toThrow('parser');
      expect(await readdir(join(root, '.tmp'))).toEqual([]);
    });

    it('stops when its reader goes or its signal comes', async () => {
      const storage = await FilesystemObjectStorage.open(await newDirectory());
      await put(storage, randomBytes(4_000_000).toString('hex'));
      const left = await storage.get(KEY);
      await once(left, 'readable');
      left.destroy();
      await once(left, 'close');
      const stop = new AbortController();
      const aborted = await storage.get(KEY, undefined, { signal: stop.signal });
      stop.abort();
      await expect(textOf(aborted)).rejects.toMatchObject({ name: 'AbortError' });
    });

    it('takes no file of another kind for a packed one', async () => {
      const root = await newDirectory();
      const storage = await FilesystemObjectStorage.open(root);
      await put(storage, text);
      const packed = await readFile(join(root, KEY));
      const noise = randomBytes(100_000);
      for (const content of [packed, packed.subarray(0, 16), packed.subarray(0, 8), noise, Buffer.from('short')]) {
        expect(await put(storage, content)).toMatchObject({ sizeBytes: content.length });
        expect(await storage.stat(KEY)).toMatchObject({ sizeBytes: content.length });
        expect((await bufferOf(await storage.get(KEY))).equals(content)).toBe(true);
      }
      // Stored by a version that packed nothing.
      await writeFile(join(root, KEY), text);
      expect(await textOf(await storage.get(KEY))).toBe(text);
      expect(await storage.stat(KEY)).toMatchObject({ sizeBytes: text.length });
    });

    it('says that a file is damaged rather than giving less of it', async () => {
      const root = await newDirectory();
      const storage = await FilesystemObjectStorage.open(root);
      await put(storage, text);
      const packed = await readFile(join(root, KEY));
      await writeFile(join(root, KEY), packed.subarray(0, packed.length - 100));
      await expect(textOf(await storage.get(KEY))).rejects.toThrow();
    });
  });

  it('lends the stored file itself where it is not packed', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await storage.put(KEY, bytes('x'), { maxBytes: 10 });
    expect(await storage.withLocalFile(KEY, async (path) => path)).toBe(join(root, KEY));
  });

  it('does not follow a link that lies under a key', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await storage.put(KEY, bytes('x'), { maxBytes: 10 });
    await symlink('/etc/hostname', join(root, 'tenant/document/2'));
    expect(await storage.stat(parseObjectKey('tenant/document/2'))).toBeNull();
    await expect(storage.get(parseObjectKey('tenant/document/2'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('says that it is not available when its folder is a file', async () => {
    const path = join(base, 'a-file');
    await writeFile(path, 'x');
    await expect(FilesystemObjectStorage.open(path)).rejects.toMatchObject({
      code: 'storage.unavailable',
      status: 503,
    });
  });

  it('says that it is not available when its folder has gone', async () => {
    const root = await newDirectory();
    const storage = await FilesystemObjectStorage.open(root);
    await rm(root, { recursive: true });
    await expect(storage.ping()).rejects.toMatchObject({ code: 'storage.unavailable' });
    await expect(storage.put(KEY, bytes('x'), { maxBytes: 10 })).rejects.toMatchObject({ code: 'storage.unavailable' });
  });
});

describe('asStorageError', () => {
  it.each([
    ['ENOSPC', 'storage.low', 507],
    ['EDQUOT', 'storage.low', 507],
    ['EROFS', 'storage.unavailable', 503],
    ['EIO', 'storage.unavailable', 503],
  ])('turns %s into %s with a time to try again', (code, expected, status) => {
    const cause = Object.assign(new Error(code), { code });
    expect(asStorageError(cause)).toMatchObject({ code: expected, status, retryAfter: 30, cause });
  });

  it('gives back an error that is not of the file system', () => {
    const error = new Error('parser');
    expect(asStorageError(error)).toBe(error);
  });
});
