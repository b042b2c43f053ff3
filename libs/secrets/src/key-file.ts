import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { newId } from '#libs/common';

/** Folder of DATA_DIR that holds the keys that the service has made; a backup takes it with --with-keys only. */
export const KEY_FOLDER = 'auth';

/** The text of a key file, for its owner alone (mode 0600); undefined when there is none. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The text of a key file, which is made of `make` when there is none. Processes that start at once get the same text. */
export async function readOrMakeKeyFile(path: string, make: () => string): Promise<string> {
  const kept = await readKeyFile(path);
  if (kept !== undefined) return kept;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `${basename(path)}.${newId()}`);
  const text = make();
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link appears whole or not at all and never replaces: of two processes that start at once the first decides.
    await link(draft, path);
    return text;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
