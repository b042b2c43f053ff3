import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterCredentials } from './credentials.js';
import { clusterOf } from './data-location.js';
import {
  asFolderError,
  diskFull,
  EmbeddedPostgresError,
  onFolder,
  saysDiskFull,
  systemCode,
} from './embedded-postgres.errors.js';
import type { PostgresPrograms } from './postgres-programs.js';
import type { LogEvent, ServerUser } from './run-as-user.js';
import { giveTo, startProgram } from './run-program.js';

const DRAFT_PREFIX = 'cluster.draft-';
const INITDB_DEADLINE_MS = 180_000;

export interface ClusterSetup {
  readonly home: string;
  readonly programs: PostgresPrograms;
  readonly user: ServerUser;
  readonly credentials: ClusterCredentials;
  readonly noSync: boolean;
  readonly log: LogEvent;
}

/**
 * Makes the cluster when the home has none. It is made under another name and renamed when `initdb` has finished and
 * synced, so `cluster` is always a finished one and is never removed; drafts of a killed start are.
 * Call it under the owner's lock. Throws `version_mismatch` or `cluster_damaged` for a cluster that cannot be used.
 */
export async function ensureCluster(setup: ClusterSetup): Promise<void> {
  await onFolder(setup.home, () => removeDrafts(setup));
  const cluster = clusterOf(setup.home);
  if (await isFolder(cluster)) {
    await checkVersion(cluster, setup.programs);
    return;
  }
  const started = performance.now();
  const draft = join(setup.home, DRAFT_PREFIX + randomUUID());
  await runInitdb(setup, draft);
  await rename(draft, cluster);
  await syncFolder(setup.home);
  setup.log('embedded_postgres.initialised', {
    folder: cluster,
    version: setup.programs.version,
    ms: Math.round(performance.now() - started),
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw asFolderError(error, path);
  }
}

async function removeDrafts(setup: ClusterSetup): Promise<void> {
  for (const name of await readdir(setup.home)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    // An initdb that outlived its service may still write here for a moment.
    await rm(join(setup.home, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    setup.log('embedded_postgres.incomplete_cluster_removed', { folder: join(setup.home, name) });
  }
}

async function checkVersion(cluster: string, programs: PostgresPrograms): Promise<void> {
  let found: string;
  try {
    found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw asFolderError(error, cluster);
    throw new EmbeddedPostgresError(
      'cluster_damaged',
      `${cluster} is not a PostgreSQL cluster (it has no PG_VERSION). Restore it from a backup, or move it away to begin with an empty database.`,
    );
  }
  if (found === programs.major) return;
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `The database in ${cluster} is of PostgreSQL ${found}, the installed programs are ${programs.version}. ` +
      `Install the release of this service that brings PostgreSQL ${found}, run "npm run backup" with it, and restore that with this one.`,
  );
}

async function runInitdb(setup: ClusterSetup, draft: string): Promise<void> {
  const passwordFile = `${draft}.password`;
  try {
    await onFolder(draft, async () => {
      await mkdir(draft, { mode: 0o700 });
      if (setup.user !== null) await giveTo(setup.user, draft);
      await writeFile(passwordFile, `${setup.credentials.postgres}\n`, { mode: 0o600, flag: 'wx' });
      if (setup.user !== null) await giveTo(setup.user, passwordFile);
    });
    await callInitdb(setup, draft, passwordFile);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function initdbArguments(draft: string, passwordFile: string, noSync: boolean): string[] {
  // The builtin provider sorts the same on every machine and after every system update.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  return ['-D', draft, ...access, ...locale, '--no-instructions', ...(noSync ? ['--no-sync'] : [])];
}

async function callInitdb(setup: ClusterSetup, draft: string, passwordFile: string): Promise<void> {
  const child = await startProgram(
    setup.programs.initdb,
    initdbArguments(draft, passwordFile, setup.noSync),
    setup.user,
    { cwd: setup.home, stdio: ['ignore', 'ignore', 'pipe'], timeout: INITDB_DEADLINE_MS },
  );
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-4000)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw initdbError(draft, complaint, code, signal);
}

function initdbError(
  draft: string,
  complaint: string,
  code: number | null,
  signal: string | null,
): EmbeddedPostgresError {
  if (saysDiskFull(complaint)) return diskFull(draft);
  return new EmbeddedPostgresError(
    'start_failed',
    `initdb could not make the database in ${draft} (exit code ${code ?? 'none'}, signal ${signal ?? 'none'}): ${complaint.trim()}`,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a pid file that names no server of this cluster: PostgreSQL itself would refuse while any process of that number lives. */
export async function removeStalePidFile(cluster: string): Promise<void> {
  await unlink(join(cluster, 'postmaster.pid'));
}
