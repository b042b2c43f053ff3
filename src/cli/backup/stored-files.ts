import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CatalogueError, mapBounded } from '#libs/common';
import type { DatabaseSnapshot } from '#libs/database';
import {
  createObjectStorage,
  parseObjectKey,
  StoredFile,
  type ObjectStorage,
  type StoredObject,
} from '#libs/object-storage';
import { KNOWN_FILES, type KnownFile } from '../files/known-files.js';
import type { FilesEntry } from './backup-manifest.js';
import type { BackupRoom } from './backup-room.js';
import { BackupError } from './backup.errors.js';
import { hashOf } from './table-files.js';

const LIST_FILE = 'files.jsonl';
const FOLDER = 'files';
/** Files that are copied at the same time. */
const AT_ONCE = 4;
const BATCH = 256;

/** A line of the list. */
type ListedFile = Omit<KnownFile, 'id'>;

/** Writes the list of the files that the rows of the snapshot name; gives how many bytes these are. */
export async function writeFileList(snapshot: DatabaseSnapshot, folder: string): Promise<number> {
  const list = await open(join(folder, LIST_FILE), 'wx', 0o600);
  let bytes = 0;
  try {
    for (const tenant of snapshot.tenants) {
      for (const files of KNOWN_FILES) {
        for await (const { key, size, sha256 } of snapshot.rowsOfTenant<KnownFile>(tenant, files)) {
          await list.writeFile(`${JSON.stringify({ key, size, sha256 })}\n`);
          bytes += Number(size);
        }
      }
    }
    await list.sync();
    return bytes;
  } finally {
    await list.close();
  }
}

/** Where the backup keeps files; the same layout as the storage of a service. */
export function openBackupFiles(folder: string): Promise<ObjectStorage> {
  return createObjectStorage({ kind: 'filesystem', directory: join(folder, FOLDER) });
}

/** Copies the listed files out of the storage. What it lacks, or has otherwise than the rows say, is named and no failure. */
export async function copyListedFiles(folder: string, storage: ObjectStorage, room: BackupRoom): Promise<FilesEntry> {
  const target = await openBackupFiles(folder);
  const missing: string[] = [];
  const damaged: { key: string; sha256: string }[] = [];
  let count = 0;
  let bytes = 0;
  await eachListed(folder, async ({ key, sha256 }) => {
    const copied = await copyFile(key, storage, target);
    if (copied === null) {
      missing.push(key);
      return;
    }
    count += 1;
    bytes += copied.sizeBytes;
    await room.wrote(copied.sizeBytes);
    if (copied.sha256 !== sha256) damaged.push({ key, sha256: copied.sha256 });
  });
  await rm(join(folder, FOLDER, '.tmp'), { recursive: true, force: true });
  return {
    count,
    bytes,
    sha256: await hashOf(createReadStream(join(folder, LIST_FILE))),
    missing: missing.toSorted(),
    damaged: damaged.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/** Reads every file of the backup. @throws BackupError for the first that is not what the manifest says */
export async function verifyFiles(folder: string, files: FilesEntry): Promise<void> {
  if ((await hashOf(createReadStream(join(folder, LIST_FILE)))) !== files.sha256) throw changed(LIST_FILE);
  await eachKept(folder, files, async (key, sha256) => {
    if ((await hashOfKept(folder, key)) !== sha256) throw changed(`${FOLDER}/${key}`);
  });
}

/** Puts the files of the backup into the storage of a service. */
export async function restoreFiles(folder: string, files: FilesEntry, storage: ObjectStorage): Promise<void> {
  await eachKept(folder, files, async (key, sha256) => {
    const file = await StoredFile.open(join(folder, FOLDER, key));
    const stored = await storage.put(parseObjectKey(key), file.read(undefined), { maxBytes: file.sizeBytes });
    if (stored.sha256 !== sha256) throw changed(`${FOLDER}/${key}`);
  });
}

/** What says that a part of the backup is not as it was written. */
export function changed(name: string): BackupError {
  return new BackupError(
    `${name} of the backup does not fit its checksum: it has been changed or damaged. Nothing that is wrong is restored; use another backup.`,
  );
}

/** Of what was stored: the backup keeps it packed where that is worth it. Null where it is gone or cannot be unpacked. */
async function hashOfKept(folder: string, key: string): Promise<string | null> {
  try {
    const file = await StoredFile.open(join(folder, FOLDER, key));
    return await hashOf(file.read(undefined));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && code !== 'ENOENT') throw error;
    return null;
  }
}

/** Null when the storage has no such file. */
async function copyFile(key: string, from: ObjectStorage, to: ObjectStorage): Promise<StoredObject | null> {
  const name = parseObjectKey(key);
  try {
    const source = await from.get(name);
    return await to.put(name, source, { maxBytes: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'storage.object_not_found') return null;
    throw error;
  }
}

/** The files that are in the backup, with the hash of what is there. */
async function eachKept(
  folder: string,
  files: FilesEntry,
  work: (key: string, sha256: string) => Promise<void>,
): Promise<void> {
  const missing = new Set(files.missing);
  const damaged = new Map(files.damaged.map(({ key, sha256 }) => [key, sha256]));
  await eachListed(folder, async ({ key, sha256 }) => {
    if (!missing.has(key)) await work(parseObjectKey(key), damaged.get(key) ?? sha256);
  });
}

async function eachListed(folder: string, work: (file: ListedFile) => Promise<void>): Promise<void> {
  let batch: ListedFile[] = [];
  for await (const line of createInterface({ input: createReadStream(join(folder, LIST_FILE)) })) {
    batch.push(JSON.parse(line) as ListedFile);
    if (batch.length < BATCH) continue;
    await mapBounded(batch, AT_ONCE, work);
    batch = [];
  }
  await mapBounded(batch, AT_ONCE, work);
}
