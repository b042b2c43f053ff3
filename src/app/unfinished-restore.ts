import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSetupError } from '#libs/database';

/** Lies in the data folder while a restore fills it. */
export const RESTORE_MARK = 'restore-unfinished.json';

/** What the mark says. */
export interface UnfinishedRestore {
  /** Names the backup. */
  readonly backup: string;
  readonly folder: string;
}

/** Null unless a restore was cut off here, or goes on. */
export async function readUnfinishedRestore(dataDir: string): Promise<UnfinishedRestore | null> {
  try {
    return JSON.parse(await readFile(join(dataDir, RESTORE_MARK), 'utf8')) as UnfinishedRestore;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @throws DatabaseSetupError when the data folder is only partly restored */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const unfinished = await readUnfinishedRestore(dataDir);
  if (unfinished === null) return;
  throw new DatabaseSetupError(
    `A restore of ${unfinished.folder} into ${dataDir} has not come to its end. Run "npm run restore -- ${unfinished.folder}" again.`,
  );
}
