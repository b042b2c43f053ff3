import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, systemCode } from './embedded-postgres.errors.js';

const run = promisify(execFile);
const COMMAND_DEADLINE_MS = 15_000;

/** The user that the server runs as when the service is root: PostgreSQL refuses to run as root. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

export type LogEvent = (event: string, facts: object) => void;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Who runs the server; null means this process's own user. */
export type ServerUser = RunAs | null;

/**
 * As root: the owner of an existing cluster, else user `postgres` (made when missing), else `nobody`.
 * As anybody else: null. Throws `cannot_switch_user` when root finds no user at all.
 */
export async function chooseServerUser(existingCluster: string, log: LogEvent): Promise<ServerUser> {
  if (!isRoot()) return null;
  const owner = await ownerOf(existingCluster);
  if (owner !== null && owner.uid !== 0) return { ...owner, name: `uid ${owner.uid}` };
  const user = (await lookUp('postgres')) ?? (await createUser('postgres', log)) ?? (await lookUp('nobody'));
  if (user !== null) return user;
  throw new EmbeddedPostgresError(
    'cannot_switch_user',
    'PostgreSQL refuses to run as root, and neither user "postgres" nor "nobody" exists or can be made. ' +
      'Start the service as an ordinary user, create the user "postgres", or set DATABASE_URL to a server of your own.',
  );
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null when a command fails or is not there: the caller has a next choice. */
async function output(command: string, ...args: string[]): Promise<string | null> {
  try {
    return (await run(command, args, { timeout: COMMAND_DEADLINE_MS })).stdout.trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

async function lookUp(name: string): Promise<RunAs | null> {
  const [uid, gid] = await Promise.all([output('id', '-u', name), output('id', '-g', name)]);
  if (!uid || !gid || Number(uid) === 0) return null;
  return { uid: Number(uid), gid: Number(gid), name };
}

async function createUser(name: string, log: LogEvent): Promise<RunAs | null> {
  const shell = '/usr/sbin/nologin';
  const made =
    (await output('useradd', '--system', '--user-group', '--no-create-home', '--shell', shell, name)) ??
    // Alpine's and busybox's way.
    (await output('adduser', '-S', '-D', '-H', '-s', shell, name));
  if (made === null) return null;
  const user = await lookUp(name);
  if (user !== null) log('embedded_postgres.user_created', { user: name, uid: user.uid });
  return user;
}

export interface ModeBits {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Whether the mode bits give `user` all of `wanted` (4 read, 2 write, 1 execute or traverse). Groups other than its own do not count. */
export function modeGrants(
  bits: ModeBits,
  user: { readonly uid: number; readonly gid: number },
  wanted: number,
): boolean {
  const shift = bits.uid === user.uid ? 6 : bits.gid === user.gid ? 3 : 0;
  return ((bits.mode >> shift) & wanted) === wanted;
}

/** Whether `user` can walk down to the folder `path` and enter it. */
export async function canTraverse(path: string, user: RunAs): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (!modeGrants(await stat(folder), user, 1)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Whether `user` has `wanted` on `path` itself and can walk down to it. */
export async function canUse(path: string, user: RunAs, wanted: number): Promise<boolean> {
  return modeGrants(await stat(path), user, wanted) && (await canTraverse(dirname(path), user));
}
