import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** A copy that has not been written to for this long belongs to a process that died. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** Copies of objects for programs that read files. */
export class LocalCopies {
  private constructor(private readonly folder: string) {}

  /** Makes the folder and removes what a process that died has left there. */
  static async open(folder: string): Promise<LocalCopies> {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const copies = new LocalCopies(folder);
    await copies.removeStale();
    return copies;
  }

  /** Calls `work` with the path of a copy, which is removed when `work` settles. */
  async lend<T>(source: Readable, work: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const path = join(this.folder, randomUUID());
    try {
      await pipeline(source, createWriteStream(path, { flags: 'wx', mode: FILE_MODE }), { signal });
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async removeStale(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() === true && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
    }
  }
}
