import { createHash, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, readFile, realpath, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, onFolder, systemCode } from './embedded-postgres.errors.js';
import { canTraverse, type RunAs, type ServerUser } from './run-as-user.js';
import { giveTo } from './run-program.js';

const POINTER_FILE = 'location.json';
/** Folders that survive a reboot and that root can normally make; the first that can be used is taken. */
const LASTING_BASES = ['/var/lib/knowledge-base', '/opt/knowledge-base'];
const HOME_MODE = 0o700;
/** Of a home that is just made: its user, who is not known yet, must be able to enter it. */
const UNTIL_GIVEN_MODE = 0o711;
const NAME_ATTEMPTS = 1000;

/** Makes the data folder when it is missing and gives its real path. Throws `folder_not_usable` or `disk_full`. */
export async function prepareDataFolder(dataDirectory: string): Promise<string> {
  return onFolder(dataDirectory, async () => {
    const made = await mkdir(dataDirectory, { recursive: true });
    if (made !== undefined) await chmod(dataDirectory, UNTIL_GIVEN_MODE);
    return realpath(dataDirectory);
  });
}

/**
 * The folder that the pointer file in `dataFolder` names, `dataFolder` itself when there is no pointer, null when the
 * data folder does not exist. Throws `cluster_damaged` when the place it names is gone.
 */
export async function findHome(dataFolder: string): Promise<string | null> {
  const folder = await absentAsNull(realpath(dataFolder));
  if (folder === null) return null;
  return (await readPointer(folder)) ?? folder;
}

/** Makes the home the folder of the server's user alone. Throws `cannot_switch_user`. */
export async function closeHome(home: string, user: ServerUser): Promise<void> {
  await onFolder(home, async () => {
    if (user !== null) await giveTo(user, home);
    await chmod(home, HOME_MODE);
  });
}

/** The folder of the cluster inside a home. */
export function clusterOf(home: string): string {
  return join(home, 'cluster');
}

/**
 * Where the data of `dataFolder` live from now on. The data folder itself, unless the server's user cannot reach it:
 * then a lasting folder outside, remembered by the pointer file so that every later start finds it, from wherever.
 */
export async function settleHome(dataFolder: string, user: ServerUser, base: () => Promise<string>): Promise<string> {
  const known = await readPointer(dataFolder);
  if (known !== null) return known;
  if (user === null || (await canTraverse(dataFolder, user))) return dataFolder;
  if ((await absentAsNull(stat(clusterOf(dataFolder)))) !== null) {
    throw new EmbeddedPostgresError(
      'data_unreachable',
      `The database in ${dataFolder} belongs to user ${user.name}, which can no longer reach this folder. ` +
        'Let it pass (chmod o+x on the folders above), move the data folder and set DATA_DIR, or start as the owner.',
    );
  }
  return onFolder(dataFolder, async () => rememberHome(dataFolder, await makeHome(dataFolder, await base())));
}

/** The first lasting folder that can be made and that `user` can reach. Throws `no_lasting_folder`. */
export async function lastingBase(user: RunAs, override: string | undefined): Promise<string> {
  const candidates = override === undefined ? LASTING_BASES : [override];
  const reasons: string[] = [];
  for (const candidate of candidates) {
    try {
      const made = await mkdir(candidate, { recursive: true });
      if (made !== undefined) await chmod(candidate, 0o755);
      const path = await realpath(candidate);
      if (await canTraverse(path, user)) return path;
      reasons.push(`${candidate}: user ${user.name} cannot reach it`);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      reasons.push(`${candidate}: ${code}`);
    }
  }
  throw new EmbeddedPostgresError(
    'no_lasting_folder',
    `PostgreSQL refuses to run as root, its user ${user.name} cannot reach the service's folders, and no lasting folder could be ` +
      `made outside (${reasons.join('; ')}). Set DATA_DIR to a folder that every user can reach and install the service ` +
      'outside a closed home, or set DATABASE_URL to a PostgreSQL server, or start as an ordinary user.',
  );
}

async function readPointer(dataFolder: string): Promise<string | null> {
  const file = join(dataFolder, POINTER_FILE);
  const text = await onFolder(file, () => absentAsNull(readFile(file, 'utf8')));
  if (text === null) return null;
  const { home } = JSON.parse(text) as { home: string };
  if ((await absentAsNull(stat(home))) !== null) return home;
  throw new EmbeddedPostgresError(
    'cluster_damaged',
    `${file} says that the database lives in ${home}, but that folder is gone. Restore it from a backup; ` +
      'delete the pointer file only to begin again with an empty database.',
  );
}

/**
 * Makes a folder of its own for this data folder. A used folder of the same name belonged to an earlier data folder at
 * the same path whose files are gone, so it is left alone and the next name is taken.
 */
async function makeHome(dataFolder: string, base: string): Promise<string> {
  const name = `data-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 12)}`;
  for (let number = 1; number <= NAME_ATTEMPTS; number++) {
    const home = join(base, number === 1 ? name : `${name}-${number}`);
    try {
      await mkdir(home);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      if ((await readdir(home)).length > 0) continue;
    }
    await chmod(home, UNTIL_GIVEN_MODE);
    return home;
  }
  throw new EmbeddedPostgresError(
    'no_lasting_folder',
    `${base} is full of old data folders named ${name}. Remove what is not needed.`,
  );
}

/** Writes the pointer in one step; when another start was faster, its choice holds. */
async function rememberHome(dataFolder: string, home: string): Promise<string> {
  const pointer = join(dataFolder, POINTER_FILE);
  const draft = `${pointer}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify({ home }), { flush: true });
  try {
    await link(draft, pointer);
    return home;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const chosen = await readPointer(dataFolder);
    if (chosen !== home) await rmdir(home);
    return chosen ?? home;
  } finally {
    await unlink(draft);
  }
}

async function absentAsNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
