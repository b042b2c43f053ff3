import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files below a folder, 0 without it; files that are removed while it counts are left out. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneWhereAbsent);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

/** What is in a folder, nothing without it. */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(noneWhereAbsent);
}

function noneWhereAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}

/** Where the indexes of a table are. */
export function indexFolder(directory: string, table: string): string {
  return join(directory, `${table}.lance`, '_indices');
}
