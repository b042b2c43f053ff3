import { chmod, lstat, mkdtemp, opendir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { reasonOf } from '#libs/common';
import { makeFolders } from './make-folders.js';
import { StartRefused } from './start-refused.js';

/** As root PostgreSQL runs as a user of its own, who must be able to walk through to its folder. */
const DATA_DIR_MODE = process.getuid?.() === 0 ? 0o711 : 0o700;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/**
 * Its home is closed by who starts PostgreSQL, and given to the user that it runs as: closed before, as a folder of root, that user could
 * no longer reach it. PostgreSQL looks after the modes of the files of its cluster, and refuses to start with others.
 */
const HOME = 'postgres';
const CLUSTER = join(HOME, 'cluster');
/** What the service makes in its data folder. Whatever else lies there, as in a folder that was named by mistake, is left as it is. */
const OWN = new Set([
  'auth',
  'files',
  'models',
  HOME,
  'restore-unfinished.json',
  'restore.uploads',
  'vectors',
  'words',
  'work',
]);

/** What was found open to other users. */
export interface Tightened {
  /** Number of folders and files that have been closed. */
  readonly changed: number;
  /** Number of those that belong to another user, so that their mode could not be changed. */
  readonly refused: number;
}

/** Files that this process and its children make are for their owner alone: 0700 and 0600, whatever the shell said. */
export function keepFilesPrivate(): void {
  process.umask(0o077);
}

/** Makes the data folder when it is missing, with the folders above it. One that exists keeps its mode: what lies in it is closed. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  const first = await makeFolders(folder);
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await chmod(made, DATA_DIR_MODE);
    if (made === first) return;
  }
}

/** Makes a folder in the data folder and removes it. A full disk is told by what needs space. @throws where this user, or anybody, cannot */
export async function tryDataFolder(dataDir: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(resolve(dataDir), '.try-')));
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Codes of what this user may not do with a file, and of a disk that takes no more; with what to change. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Give it and everything in it to the user of the service, or set DATA_DIR to another folder.',
  EPERM: 'Give it and everything in it to the user of the service, or set DATA_DIR to another folder.',
  EROFS: 'Make its disk writable, or set DATA_DIR to a folder on another disk.',
  ENOSPC: 'Free some space on its disk, or set DATA_DIR to a folder on another disk.',
  EDQUOT: 'Free some space on its disk, or set DATA_DIR to a folder on another disk.',
};

/** What a file below the data folder was refused for, in one line that says what to change; every other error as it is. */
export function ofDataFolder(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', path, syscall = '' } = error as NodeJS.ErrnoException;
  // A program that may not be run is no matter of the folder.
  const advice = syscall.startsWith('spawn') ? undefined : ADVICE[code];
  const folder = resolve(dataDir);
  if (advice === undefined || path === undefined || !`${resolve(path)}${sep}`.startsWith(`${folder}${sep}`))
    return error;
  return new StartRefused(`DATA_DIR ${folder} cannot be used (${reasonOf(error)}). ${advice}`, { cause: error });
}

/** Closes the folders of the service that lie directly in the data folder, and with them all that is below them. */
export function closeFolders(dataDir: string): Promise<Tightened> {
  return tighten(resolve(dataDir), { deep: false });
}

/** Closes every folder and file of the service in the data folder that other users could read. Links are not followed. */
export function closeEverything(dataDir: string, signal: AbortSignal): Promise<Tightened> {
  return tighten(resolve(dataDir), { deep: true, signal });
}

async function tighten(dataDir: string, { deep, signal }: { deep: boolean; signal?: AbortSignal }): Promise<Tightened> {
  const found = { changed: 0, refused: 0 };
  const left = [dataDir];
  while (left.length > 0 && signal?.aborted !== true) {
    const folder = left.pop()!;
    await unlessGone(async () => {
      for await (const entry of await opendir(folder)) {
        if (folder === dataDir && !OWN.has(entry.name)) continue;
        const path = join(folder, entry.name);
        if (path === join(dataDir, CLUSTER) || !(entry.isDirectory() || entry.isFile())) continue;
        if (path !== join(dataDir, HOME)) await closeOne(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE, found);
        if (deep && entry.isDirectory()) left.push(path);
      }
    });
  }
  return found;
}

async function closeOne(path: string, mode: number, found: { changed: number; refused: number }): Promise<void> {
  await unlessGone(async () => {
    if (((await lstat(path)).mode & 0o077) === 0) return;
    try {
      await chmod(path, mode);
      found.changed += 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
      found.refused += 1;
    }
  });
}

/** Others work in the folder meanwhile; what has gone needs no closing, and what cannot be entered is closed. */
async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
