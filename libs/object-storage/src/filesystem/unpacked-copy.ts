import { createWriteStream } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from './packed-file.js';
import { asStorageError } from './storage-failure.js';
import { FILE_MODE } from './write-file.js';

/** Well within the time after which a temporary file is taken for that of a process that died. */
const TOUCH_MS = 10 * 60 * 1000;

/** Calls `work` with the path of an unpacked copy, which is removed when `work` settles. */
export async function lendUnpacked<T>(
  file: StoredFile,
  copy: string,
  work: (path: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // Where it is gone already there is nothing to be kept.
  const touch = setInterval(() => void utimes(copy, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
  touch.unref();
  try {
    await unpack(file, copy, signal);
    return await work(copy);
  } finally {
    clearInterval(touch);
    await rm(copy, { force: true });
  }
}

async function unpack(file: StoredFile, copy: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pipeline(file.read(signal), createWriteStream(copy, { flags: 'wx', mode: FILE_MODE }));
  } catch (error) {
    signal?.throwIfAborted();
    throw asStorageError(error);
  }
}
