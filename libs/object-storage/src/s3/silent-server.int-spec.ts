import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectKey } from '../object-key.js';
import type { ObjectStorage } from '../object-storage.port.js';
import { MemoryUploads } from '../testing/memory-uploads.js';
import { SilentS3Server } from '../testing/silent-s3-server.js';
import { openS3Storage } from './open-s3-storage.js';

const MIB = 1024 * 1024;
/** Anyone who uploads is answered in this time, whatever the server does. */
const WITHIN = { timeout: 10_000 };
const UNAVAILABLE = { code: 'storage.unavailable', status: 503, retryAfter: 30 };
const newKey = (): ReturnType<typeof objectKey> =>
  objectKey(randomUUID() as never, randomUUID() as never, randomUUID() as never);

describe('an S3 server that takes connections and does not answer', () => {
  let folder: string;
  let server: SilentS3Server;
  let storage: ObjectStorage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'silent-s3-'));
    server = await SilentS3Server.start();
    const values = { region: 'us-east-1', bucket: 'files', accessKeyId: 'key', secretAccessKey: 'secret' };
    storage = await openS3Storage(
      { endpoint: server.endpoint, ...values },
      { directory: folder, uploads: new MemoryUploads() },
    );
  });
  beforeEach(() => {
    server.silence = 'none';
    server.refusal = 'none';
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('refuses a small file', WITHIN, async () => {
    server.silence = 'all';
    await expect(storage.put(newKey(), Buffer.from('a'), { maxBytes: MIB })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('refuses a large file', WITHIN, async () => {
    server.silence = 'all';
    const source = Readable.from([Buffer.alloc(20 * MIB)]);
    await expect(storage.put(newKey(), source, { maxBytes: 64 * MIB })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is taken for what it is where a page answers with 200 in its place', WITHIN, async () => {
    server.isPortal = true;
    try {
      const large = Readable.from([Buffer.alloc(20 * MIB)]);
      await Promise.all([
        expect(storage.put(newKey(), Buffer.from('a'), { maxBytes: MIB })).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.put(newKey(), large, { maxBytes: 64 * MIB })).rejects.toMatchObject(UNAVAILABLE),
      ]);
    } finally {
      server.isPortal = false;
    }
  });

  it('refuses files when it answers all but their content', WITHIN, async () => {
    server.silence = 'content';
    const large = Readable.from([Buffer.alloc(20 * MIB)]);
    await Promise.all([
      expect(storage.put(newKey(), Buffer.from('a'), { maxBytes: MIB })).rejects.toMatchObject(UNAVAILABLE),
      expect(storage.put(newKey(), large, { maxBytes: 64 * MIB })).rejects.toMatchObject(UNAVAILABLE),
    ]);
  });

  it('refuses to give, to look and to remove', WITHIN, async () => {
    server.silence = 'all';
    const key = newKey();
    await Promise.all([
      expect(storage.get(key)).rejects.toMatchObject(UNAVAILABLE),
      expect(storage.stat(key)).rejects.toMatchObject(UNAVAILABLE),
      expect(storage.delete(key)).rejects.toMatchObject(UNAVAILABLE),
      expect(storage.ping()).rejects.toMatchObject(UNAVAILABLE),
    ]);
  });

  it.each(['endless', 'endless head', 'immense', 'late'] as const)(
    'refuses files when its own refusal is %s',
    WITHIN,
    async (refusal) => {
      server.refusal = refusal;
      const large = Readable.from([Buffer.alloc(20 * MIB)]);
      const middle = Readable.from([Buffer.alloc(6 * MIB)]);
      await Promise.all([
        expect(storage.put(newKey(), Buffer.from('a'), { maxBytes: MIB })).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.put(newKey(), middle, { maxBytes: 64 * MIB })).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.put(newKey(), large, { maxBytes: 64 * MIB })).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.get(newKey())).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.stat(newKey())).rejects.toMatchObject(UNAVAILABLE),
        expect(storage.list('a/')[Symbol.asyncIterator]().next()).rejects.toMatchObject(UNAVAILABLE),
      ]);
    },
  );

  it('is asked again after a refusal for the moment, and takes files as soon as it answers', async () => {
    server.refusals = 2;
    const key = newKey();
    expect(await storage.put(key, Buffer.from('abc'), { maxBytes: MIB })).toMatchObject({ sizeBytes: 3 });
    expect(await storage.stat(key)).toMatchObject({ sizeBytes: 3 });
  });
});
