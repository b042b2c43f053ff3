import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, opendir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { parseKeyPrefix, parseObjectKey, type ObjectKey } from '../object-key.js';
import { storageErrors } from '../object-storage.errors.js';
import {
  ObjectStorage,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type PutOptions,
  type StorageCallOptions,
  type StoredObject,
} from '../object-storage.port.js';
import { DirectorySyncs } from './directory-syncs.js';
import { StoredFile } from './packed-file.js';
import { asStorageError, isMissing, unlessMissing } from './storage-failure.js';
import { lendUnpacked } from './unpacked-copy.js';
import { FILE_MODE, writeBytes, writeStream } from './write-file.js';

/** Only the service's own user reads documents. */
const DIRECTORY_MODE = 0o700;
/** No key segment begins with a full stop, so this folder cannot be reached by a key. */
const TEMP_DIRECTORY = '.tmp';
/** A temporary file that has not been written to for this long belongs to a process that died. */
export const STALE_TEMP_MS = 60 * 60 * 1000;
/** `delete` removes folders that it empties; a `put` that meets this begins its last step again. */
const PLACE_ATTEMPTS = 5;

/**
 * Objects as files below one folder, `root/tenant/document/revision`. A file is written under `root/.tmp`, synced and renamed to its key; then
 * the folder is synced, so that an acknowledged object survives a power failure. Texts are packed (packed-file.ts).
 */
export class FilesystemObjectStorage extends ObjectStorage {
  private readonly syncs = new DirectorySyncs();
  /** Tenants' folders whose entries have been synced by this process; one that is made again is synced again. */
  private readonly durableParents = new Set<string>();

  private constructor(private readonly root: string) {
    super();
  }

  /**
   * Creates the folder if it is missing, and removes what crashed uploads left there more than an hour ago.
   * @throws `storage.unavailable` when the folder cannot be made or written.
   */
  static async open(directory: string, now: Date = new Date()): Promise<FilesystemObjectStorage> {
    const storage = new FilesystemObjectStorage(resolve(directory));
    try {
      await mkdir(storage.tempDirectory, { recursive: true, mode: DIRECTORY_MODE });
      await storage.removeTempsBefore(new Date(now.getTime() - STALE_TEMP_MS));
    } catch (error) {
      throw asStorageError(error);
    }
    await storage.ping();
    return storage;
  }

  async put(key: ObjectKey, source: Readable | Uint8Array, options: PutOptions): Promise<StoredObject> {
    const path = this.pathOf(key);
    const temp = join(this.tempDirectory, randomUUID());
    try {
      options.signal?.throwIfAborted();
      const stored =
        source instanceof Uint8Array
          ? await writeBytes(temp, source, options)
          : await writeStream(temp, source, options);
      await this.place(temp, path, options.ifAbsent === true);
      return stored;
    } catch (error) {
      if (!(source instanceof Uint8Array)) source.destroy();
      await rm(temp, { force: true });
      options.signal?.throwIfAborted();
      throw asStorageError(error);
    }
  }

  async get(key: ObjectKey, range?: ByteRange, options?: StorageCallOptions): Promise<Readable> {
    options?.signal?.throwIfAborted();
    const path = this.pathOf(key);
    const file = await openStored(path);
    try {
      return file.read(options?.signal, range === undefined ? undefined : boundsWithin(range, file.sizeBytes));
    } catch (error) {
      await file.close();
      throw asStorageError(error);
    }
  }

  async stat(key: ObjectKey, options?: StorageCallOptions): Promise<ObjectStat | null> {
    options?.signal?.throwIfAborted();
    const path = this.pathOf(key);
    const found = await unlessMissing(lstat(path));
    if (found === undefined || !found.isFile()) return null;
    const file = await unlessMissing(StoredFile.open(path));
    if (file === undefined) return null;
    await file.close();
    return { sizeBytes: file.sizeBytes, modifiedAt: found.mtime };
  }

  async delete(key: ObjectKey, options?: StorageCallOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const path = this.pathOf(key);
    await unlessMissing(unlink(path));
    // The document's folder, then the tenant's, unless something else lies in them.
    for (const folder of [dirname(path), dirname(dirname(path))]) {
      this.durableParents.delete(folder);
      if (!(await removeIfEmpty(folder))) return;
    }
  }

  async *list(prefix: string, options?: StorageCallOptions): AsyncGenerator<ListedObject> {
    const segments = parseKeyPrefix(prefix);
    for await (const key of this.keysBelow(segments, options?.signal)) {
      const found = await this.stat(key);
      if (found !== null) yield { key, ...found };
    }
  }

  async withLocalFile<T>(key: ObjectKey, work: (path: string) => Promise<T>, options?: StorageCallOptions): Promise<T> {
    options?.signal?.throwIfAborted();
    const file = await openStored(this.pathOf(key));
    if (file.isPacked) return lendUnpacked(file, join(this.tempDirectory, randomUUID()), work, options?.signal);
    await file.close();
    return work(this.pathOf(key));
  }

  removeUnfinished(before: Date): Promise<number> {
    return this.removeTempsBefore(before);
  }

  async ping(options?: StorageCallOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const probe = join(this.tempDirectory, randomUUID());
    try {
      const file = await open(probe, 'wx', FILE_MODE);
      await file.close();
      await unlink(probe);
    } catch (error) {
      throw asStorageError(error);
    }
  }

  private get tempDirectory(): string {
    return join(this.root, TEMP_DIRECTORY);
  }

  /** Keys are checked here once more: a value cast to `ObjectKey` must not leave the folder either. */
  private pathOf(key: ObjectKey): string {
    return join(this.root, ...parseObjectKey(key).split('/'));
  }

  /** Gives a finished temporary file its name, durably. */
  private async place(temp: string, path: string, ifAbsent: boolean): Promise<void> {
    const folder = dirname(path);
    const parent = dirname(folder);
    let isParentNew = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const firstMade = await mkdir(folder, { recursive: true, mode: DIRECTORY_MODE });
        isParentNew ||= firstMade === parent;
        await (ifAbsent ? giveFreeName(temp, path) : rename(temp, path));
        break;
      } catch (error) {
        if (!isMissing(error) || attempt === PLACE_ATTEMPTS) throw error;
      }
    }
    const isParentDurable = !isParentNew && this.durableParents.has(parent);
    const changed = isParentDurable ? [folder, parent] : [folder, parent, this.root];
    await Promise.all(changed.map((made) => this.syncs.sync(made)));
    this.durableParents.add(parent);
  }

  private async *keysBelow(segments: readonly string[], signal?: AbortSignal): AsyncGenerator<ObjectKey> {
    const directory = await unlessMissing(opendir(join(this.root, ...segments)));
    if (directory === undefined) return;
    for await (const entry of directory) {
      signal?.throwIfAborted();
      const inner = [...segments, entry.name];
      if (entry.isDirectory() && inner.length < 3 && entry.name !== TEMP_DIRECTORY)
        yield* this.keysBelow(inner, signal);
      if (entry.isFile() && inner.length === 3) yield parseObjectKey(inner.join('/'));
    }
  }

  private async removeTempsBefore(time: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.tempDirectory)) {
      const path = join(this.tempDirectory, name);
      const found = await unlessMissing(stat(path));
      if (found === undefined || found.mtimeMs >= time.getTime()) continue;
      await unlessMissing(unlink(path));
      removed += 1;
    }
    return removed;
  }
}

/** A second name is given to a file by one caller only, however many ask. @throws `storage.object_exists` */
async function giveFreeName(temp: string, path: string): Promise<void> {
  try {
    await link(temp, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? storageErrors.object_exists({}) : error;
  }
  await unlink(temp);
}

/** @throws `storage.object_not_found` */
async function openStored(path: string): Promise<StoredFile> {
  return StoredFile.open(path).catch((error: unknown) => {
    throw isMissing(error) ? storageErrors.object_not_found({}) : asStorageError(error);
  });
}

function boundsWithin(range: ByteRange, sizeBytes: number): { start: number; end: number } {
  const end = Math.min(range.end ?? sizeBytes - 1, sizeBytes - 1);
  if (range.start < 0 || range.start >= sizeBytes || range.start > end) {
    throw storageErrors.invalid_range({ start: range.start, sizeBytes });
  }
  return { start: range.start, end };
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw asStorageError(error);
  }
}
