/** Where tests keep their temporary folders. Uses no syntax that needs compiling, so plain Node runs it as it is. */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

/** A file system in memory that Linux has by itself. In a container it is small unless it was asked for. */
const IN_MEMORY = '/dev/shm';
/** Some four times of what the tests of two workers hold at once. */
const NEEDED_BYTES = 8 * 2 ** 30;

/** What a folder offers; undefined where it cannot be written. */
export interface MemoryFolder {
  readonly freeBytes: number;
  /** Memory that this process may still take. */
  readonly memoryBytes: number;
}

/**
 * Makes the folder in memory the one for temporary files, for this process and those that it starts, where it has room for all tests and
 * TMPDIR names no other. A service of a test begins with a copy of 1,800 small files and removes them at its end: some file systems take
 * a second of processor time for that (ext4 without a journal passes over each inode that was freed in the last minute), memory a tenth.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom(look())) process.env['TMPDIR'] = IN_MEMORY;
}

export function hasRoom(folder: MemoryFolder | undefined): boolean {
  return folder !== undefined && Math.min(folder.freeBytes, folder.memoryBytes) >= NEEDED_BYTES;
}

function look(): MemoryFolder | undefined {
  try {
    accessSync(IN_MEMORY, constants.W_OK | constants.X_OK);
    // Tests install and run programs there.
    if (isNoExec(readFileSync('/proc/mounts', 'utf8'))) return undefined;
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return { freeBytes: bavail * bsize, memoryBytes: process.availableMemory() };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Whether nothing that lies in memory may be run, as containers have it. */
export function isNoExec(mounts: string): boolean {
  const line = mounts.split('\n').findLast((one) => one.split(' ')[1] === IN_MEMORY);
  return line?.split(' ')[3]?.split(',').includes('noexec') ?? false;
}
