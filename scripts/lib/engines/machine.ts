/** What the machine brings for the engines: a Java, Maven, folders that an unprivileged user can enter. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EngineUnavailable } from '#engines/releases';

const JAVA_FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines', '/opt/java'];
/** Both servers refuse to run as root; this is no one's number, which has no files of its own. */
export const UNPRIVILEGED = 65_534;

export const isRoot = process.getuid?.() === 0;

export interface Java {
  readonly home: string;
  readonly major: number;
}

/** The highest Java of this machine that is at least `minimum`; throws EngineUnavailable without one. */
export async function findJava(minimum: number): Promise<Java> {
  const candidates = process.env['JAVA_HOME'] === undefined ? [] : [process.env['JAVA_HOME']];
  for (const folder of JAVA_FOLDERS) {
    for (const name of await namesIn(folder)) {
      candidates.push(join(folder, name), join(folder, name, 'Contents/Home'));
    }
  }
  const found: Java[] = [];
  for (const home of candidates) {
    const release = await readIfThere(join(home, 'release'));
    const major = Number(/^JAVA_VERSION="(\d+)/m.exec(release ?? '')?.[1]);
    if (major >= minimum && (await isThere(join(home, 'bin/jar')))) found.push({ home, major });
  }
  const best = found.sort((a, b) => b.major - a.major)[0];
  if (best !== undefined) return best;
  throw new EngineUnavailable(
    `There is no JDK ${minimum} or newer (looked at JAVA_HOME and ${JAVA_FOLDERS.join(', ')}).`,
  );
}

/** Throws EngineUnavailable when Maven is not on the PATH. */
export async function assertMaven(): Promise<void> {
  try {
    await promisify(execFile)('mvn', ['--version'], { timeout: 60_000 });
  } catch (cause) {
    throw new EngineUnavailable('The engines come from Maven Central, and there is no mvn on the PATH.', { cause });
  }
}

/**
 * Where downloads and unpacked engines are kept between runs, outside the checkout: ENGINES_CACHE, else
 * `knowledge-base-engines` in the user's cache folder; for root in /var/cache when that lies below a closed home, because
 * the servers then run as another user.
 */
export async function cacheFolder(): Promise<string> {
  const named = process.env['ENGINES_CACHE'];
  const own = named ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'knowledge-base-engines');
  return openFolder(own, '/var/cache/knowledge-base-engines');
}

/** The parent of the folders that running engines write to: in the system's folder for temporary files. */
export async function runsFolder(): Promise<string> {
  const name = `knowledge-base-engines-${process.getuid?.() ?? 0}`;
  const folder = await openFolder(join(tmpdir(), name), join('/var/tmp', name));
  // Its name can be guessed: a folder that another user laid there would let that user choose whom we kill.
  const owner = (await stat(folder)).uid;
  if (process.getuid !== undefined && owner !== process.getuid()) throw new Error(`${folder} belongs to another user.`);
  return folder;
}

/** Makes the folder, or for root the second one when other users cannot enter the first. Resolves to its real path. */
async function openFolder(wanted: string, otherwise: string): Promise<string> {
  const folder = isRoot && !(await othersCanEnter(dirname(wanted))) ? otherwise : wanted;
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new EngineUnavailable(`${folder} cannot be made (${code}); ENGINES_CACHE or TMPDIR can name another.`, {
      cause,
    });
  }
  return realpath(folder);
}

async function othersCanEnter(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const mode = await modeOf(at);
    // What is not there yet will be made by us, open.
    if (mode !== undefined && (mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function isThere(path: string): Promise<boolean> {
  return (await modeOf(path)) !== undefined;
}

/** Undefined when there is no such file, or the process that it speaks of is gone. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
