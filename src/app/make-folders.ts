import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder when it is missing, and those above it; the first one that it made, or undefined. As `mkdir` of Node with `recursive`,
 * which never ends where a file system has folders and makes none, as /proc.
 * @throws what the file system says
 */
export async function makeFolders(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path);
  try {
    return await makeOne(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
  }
  const first = await makeFolders(dirname(folder), mode);
  const made = await makeOne(folder, mode);
  return first ?? made;
}

async function makeOne(folder: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(folder, mode);
    return folder;
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
    return undefined;
  }
}
