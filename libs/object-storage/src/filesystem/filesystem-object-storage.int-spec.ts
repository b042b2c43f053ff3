import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
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

  it('lends the stored file itself', async () => {
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
