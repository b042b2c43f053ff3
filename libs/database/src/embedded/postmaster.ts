import type { ChildProcess } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delay } from '#libs/common';
import { identifyProcess, isAlive, signalProcess, type ProcessIdentity } from '#libs/process-lock';
import { clusterOf } from './data-location.js';
import { diskFull, EmbeddedPostgresError, onFolder, saysDiskFull } from './embedded-postgres.errors.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { readPostmasterPid } from './postmaster-pid.js';
import type { LogEvent, ServerUser } from './run-as-user.js';
import { startProgram } from './run-program.js';
import { openServerLog, readServerLog, rotateServerLog, serverLogOf, sizeOf } from './server-log.js';
import { serverArguments } from './server-settings.js';

const POLL_MS = 10;
const PORT_ATTEMPTS = 5;
/** Long, because a start after a crash replays the log first. */
export const START_DEADLINE_MS = 120_000;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;

export interface PostmasterSetup {
  readonly home: string;
  readonly programs: PostgresPrograms;
  readonly user: ServerUser;
  readonly maxConnections: number;
  readonly log: LogEvent;
}

export interface StartedPostmaster {
  readonly identity: ProcessIdentity;
  readonly port: number;
}

/**
 * Starts the server on `wantedPort`, or on a free loopback port, and resolves when it accepts connections. It gets a session of its own, so a
 * Ctrl-C in the service's terminal does not reach it, and holds none of the service's pipes.
 * Throws `port_not_usable`, `disk_full`, `programs_unusable`, `cannot_switch_user` or `start_failed`.
 */
export async function startPostmaster(setup: PostmasterSetup, wantedPort?: number): Promise<StartedPostmaster> {
  await onFolder(setup.home, () => rotateServerLog(setup.home));
  let refused = '';
  for (let attempt = 0; attempt < (wantedPort === undefined ? PORT_ATTEMPTS : 1); attempt++) {
    const port = wantedPort ?? (await freePort());
    const offset = await sizeOf(serverLogOf(setup.home));
    const started = await launch(setup, port);
    if (started !== null) return started;
    const written = await readServerLog(setup.home, offset);
    // Someone took the port between the question and the start.
    if (!/could not bind|could not create any TCP\/IP sockets/.test(written)) throw startError(setup.home, written);
    refused = written;
  }
  throw portError(refused.trim());
}

/** Fast shutdown, then immediate shutdown; the process is verified before each signal. Throws `stop_failed`. */
export async function stopPostmaster(identity: ProcessIdentity, fastMs = FAST_STOP_MS): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', fastMs],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ];
  for (const [signal, ms] of steps) {
    if (!(await signalProcess(identity, signal))) return;
    // A stopped process (SIGSTOP) takes the signal only when it goes on.
    await signalProcess(identity, 'SIGCONT');
    if (await hasEnded(identity, ms)) return;
  }
  throw new EmbeddedPostgresError(
    'stop_failed',
    `The database server (process ${identity.pid}) does not stop. Look at its disk, then end it with "kill -QUIT ${identity.pid}".`,
  );
}

async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; ; await delay(POLL_MS)) {
    if (!(await isAlive(identity))) return true;
    if (performance.now() > end) return false;
  }
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(portError(String(error), error)));
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function portError(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'port_not_usable',
    `The database server can listen on no port of 127.0.0.1: ${reason}. Allow loopback connections, or set DATABASE_URL.`,
    { cause },
  );
}

/** Null when the server ended before it was ready. */
async function launch(setup: PostmasterSetup, port: number): Promise<StartedPostmaster | null> {
  const cluster = clusterOf(setup.home);
  const output = await onFolder(serverLogOf(setup.home), () => openServerLog(setup.home, setup.user));
  try {
    const { blocks, bsize } = await statfs(setup.home);
    const settings = { port, maxConnections: setup.maxConnections, volumeBytes: blocks * bsize };
    const child = await startProgram(setup.programs.postgres, serverArguments(cluster, settings), setup.user, {
      cwd: setup.home,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    child.unref();
    child.once('exit', (code, signal) =>
      setup.log('embedded_postgres.server_ended', { serverPid: child.pid, code, signal }),
    );
    return await ready(child, cluster, port);
  } finally {
    await output.close();
  }
}

async function ready(child: ChildProcess, cluster: string, port: number): Promise<StartedPostmaster | null> {
  const pid = child.pid!;
  const identity = await identifyProcess(pid);
  if (identity === null) return null;
  for (const end = performance.now() + START_DEADLINE_MS; performance.now() < end; await delay(POLL_MS)) {
    const entry = await readPostmasterPid(cluster);
    if (entry?.pid === pid && entry.status === 'ready') return { identity, port };
    if (!(await isAlive(identity))) return null;
  }
  await stopPostmaster(identity);
  throw new EmbeddedPostgresError(
    'start_failed',
    `The database server was not ready after ${START_DEADLINE_MS / 1000} s. Its log is beside the data (postgres.log); start again when the machine is less busy.`,
  );
}

function startError(home: string, written: string): EmbeddedPostgresError {
  if (saysDiskFull(written)) return diskFull(home);
  return new EmbeddedPostgresError(
    'start_failed',
    `The database server ended while it started. Its log ${serverLogOf(home)} says: ${written.trim() || '(nothing)'}`,
  );
}
