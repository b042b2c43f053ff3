import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { EmbeddedPostgresError, systemCode } from './embedded-postgres.errors.js';
import type { RunAs, ServerUser } from './run-as-user.js';

/** No inherited environment: it may hold secrets of the service, and PG* variables would change the programs. */
const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' } as const;

/**
 * Starts a program of PostgreSQL as the server's user; resolves when it runs. Listen for its end right after the await.
 * Throws `programs_unusable` or `cannot_switch_user`.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  user: ServerUser,
  options: SpawnOptions,
): Promise<ChildProcess> {
  const who = user === null ? {} : { uid: user.uid, gid: user.gid };
  try {
    // Some failures are thrown, others are events.
    const child = spawn(program, args, { ...options, ...who, env: PROGRAM_ENVIRONMENT });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw spawnError(error, program, user);
  }
}

/** Makes `user` the owner of `path`. Throws `cannot_switch_user` when this root may not. */
export async function giveTo(user: RunAs, path: string): Promise<void> {
  try {
    await chown(path, user.uid, user.gid);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EPERM' || code === 'EINVAL') throw cannotSwitch(user, error);
    throw error;
  }
}

function spawnError(error: unknown, program: string, user: ServerUser): EmbeddedPostgresError {
  const code = systemCode(error);
  if ((code === 'EPERM' || code === 'EINVAL') && user !== null) return cannotSwitch(user, error);
  return new EmbeddedPostgresError(
    'programs_unusable',
    `${program} cannot be run (${code}): the programs need glibc and a file system mounted without noexec. ` +
      'Run the service on such a system, or set DATABASE_URL to a PostgreSQL server.',
    { cause: error },
  );
}

/** Root without the right to become someone else, as in a rootless container. */
function cannotSwitch(user: RunAs, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'cannot_switch_user',
    `PostgreSQL refuses to run as root, and this root may not run it as user ${user.name} (${systemCode(cause)}). ` +
      'Start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    { cause },
  );
}
