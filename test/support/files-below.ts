import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What lies below a folder, folders included, by paths in it, in no order. Entries may come and go meanwhile, as they do
 * in the data folder of a running service: a folder that is gone when its turn comes is empty. The folder itself must exist.
 */
export async function pathsBelow(folder: string): Promise<string[]> {
  return (await entriesBelow(folder)).map((entry) => pathOf(entry).slice(folder.length + 1));
}

/** The files among them. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files = (await entriesBelow(folder)).filter((entry) => entry.isFile());
  return files.map((entry) => pathOf(entry).slice(folder.length + 1));
}

const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name);

async function entriesBelow(folder: string): Promise<Dirent[]> {
  const found = await readdir(folder, { withFileTypes: true });
  for (const entry of found) if (entry.isDirectory()) found.push(...(await entriesOf(pathOf(entry))));
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
