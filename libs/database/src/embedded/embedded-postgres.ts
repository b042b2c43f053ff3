import { isAbsolute } from 'node:path';
import { realpath } from 'node:fs/promises';
import { type FolderLock, acquireFolderLock, FolderInUseError } from '#libs/process-lock';
import { ensureCluster } from './cluster-files.js';
import { ensureCredentials, loginUrl, readCredentials, type ClusterCredentials } from './credentials.js';
import { closeHome, clusterOf, findHome, lastingBase, prepareDataFolder, settleHome } from './data-location.js';
import { EmbeddedPostgresError, onFolder, systemCode } from './embedded-postgres.errors.js';
import { adoptLeftover, loginRefused } from './leftover-postmaster.js';
import { findPrograms, reachablePrograms } from './postgres-programs.js';
import { startPostmaster, stopPostmaster, type PostmasterSetup, type StartedPostmaster } from './postmaster.js';
import { findRunningPostmaster } from './postmaster-pid.js';
import { chooseServerUser, type LogEvent } from './run-as-user.js';
import { ServerKeeper } from './server-keeper.js';
import { keepServerLogSmall } from './server-log.js';
import { asSuperuser, connectFailure, DATABASE, ensureRolesAndDatabase, readFacts } from './server-sessions.js';

export interface EmbeddedPostgresOptions {
  /** Absolute; made when it is missing. Holds the cluster, or the pointer to where it lives instead. */
  readonly dataDirectory: string;
  /** Gets events such as `embedded_postgres.started` with facts that hold no secrets. */
  readonly log: LogEvent;
  /** Leaves out the final sync of the first start; for tests only. */
  readonly initdbNoSync?: boolean;
  /** Default 60. */
  readonly maxConnections?: number;
  /** Where programs and data go that the server's user cannot reach; by default /var/lib/knowledge-base, else /opt/knowledge-base. */
  readonly lastingBase?: string;
  /** How long a left-over server may stay silent before it is stopped. Default 10,000. */
  readonly adoptDeadlineMs?: number;
}

/** Connection URLs of the three logins; each holds a password. */
export interface EmbeddedPostgresUrls {
  /** Superuser, database `postgres`: for bootstrap and test fixtures only. */
  readonly superuserUrl: string;
  /** `kb_owner`: no superuser, may make roles, owns the database `kb`; runs the migrations. */
  readonly ownerUrl: string;
  /** `kb_service`: neither superuser nor BYPASSRLS, inherits nothing; the application's login on `kb`. */
  readonly serviceUrl: string;
}

export interface EmbeddedPostgres extends EmbeddedPostgresUrls {
  readonly port: number;
  /** Where the data really are: the data folder, or the lasting folder that replaces it. */
  readonly dataDirectory: string;
  /** True when a server was adopted that a killed service had left running. */
  readonly reused: boolean;
  /** Fast shutdown, then the folder is free for another process. Idempotent. */
  stop(): Promise<void>;
}

const DEFAULT_MAX_CONNECTIONS = 60;
const DEFAULT_ADOPT_DEADLINE_MS = 10_000;
const BOOTSTRAP_DEADLINE_MS = 30_000;

/**
 * Brings up the embedded PostgreSQL of a data folder: makes the cluster at the first start, adopts a server that a killed
 * service left behind, makes missing roles and the database. One process per data folder.
 * Throws EmbeddedPostgresError, whose message says what to do; nothing is left running or locked then.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!isAbsolute(options.dataDirectory)) throw new TypeError('dataDirectory must be an absolute path');
  const { home, setup } = await settlePlace(options);
  const lock = await onFolder(home, () => acquireOwnerLock(home));
  try {
    if (lock.takenOver) options.log('embedded_postgres.lock_taken_over', { folder: home });
    return await bringUp(options, setup, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The URLs of the server that runs for this data folder right now, in whatever process; null when none is ready. */
export async function connectToRunningEmbeddedPostgres(dataDirectory: string): Promise<EmbeddedPostgresUrls | null> {
  const home = await findHome(dataDirectory);
  if (home === null) return null;
  const cluster = await realCluster(home);
  const running = cluster === null ? null : await findRunningPostmaster(cluster);
  const credentials = running?.status === 'ready' ? await readCredentials(home) : null;
  return running === null || credentials === null ? null : urlsOf(credentials, running.port);
}

async function settlePlace(options: EmbeddedPostgresOptions): Promise<{ home: string; setup: PostmasterSetup }> {
  const { log } = options;
  const installed = await findPrograms();
  const dataFolder = await prepareDataFolder(options.dataDirectory);
  const formerHome = (await findHome(dataFolder)) ?? dataFolder;
  const user = await chooseServerUser(clusterOf(formerHome), log);
  const base = async (): Promise<string> => {
    if (user === null) throw new Error('Only root moves programs or data');
    return lastingBase(user, options.lastingBase);
  };
  const home = await settleHome(dataFolder, user, base);
  await closeHome(home, user);
  const programs = await reachablePrograms(installed, user, base, log);
  if (home !== dataFolder || programs !== installed) {
    log('embedded_postgres.relocated', { dataFolder, data: home, programs: programs.folder, user: user?.name });
  }
  const maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
  return { home, setup: { home, programs, user, maxConnections, log } };
}

async function bringUp(
  options: EmbeddedPostgresOptions,
  setup: PostmasterSetup,
  lock: FolderLock,
): Promise<EmbeddedPostgres> {
  const began = performance.now();
  const credentials = await ensureCredentials(setup.home);
  await ensureCluster({ ...setup, credentials, noSync: options.initdbNoSync ?? false });
  const adopted = await adoptLeftover(setup, credentials, options.adoptDeadlineMs ?? DEFAULT_ADOPT_DEADLINE_MS);
  const server = adopted ?? (await startPostmaster(setup));
  try {
    await bootstrap(setup, credentials, server);
  } catch (error) {
    await stopPostmaster(server.identity);
    throw connectFailure(error) === 'refused_login' ? loginRefused(setup.home, error) : error;
  }
  setup.log(adopted === null ? 'embedded_postgres.started' : 'embedded_postgres.adopted', {
    folder: setup.home,
    port: server.port,
    serverPid: server.identity.pid,
    ms: Math.round(performance.now() - began),
  });
  return handleOf(setup, credentials, server, lock, adopted !== null);
}

async function bootstrap(
  setup: PostmasterSetup,
  credentials: ClusterCredentials,
  server: StartedPostmaster,
): Promise<void> {
  await asSuperuser(credentials, server.port, BOOTSTRAP_DEADLINE_MS, async (client) => {
    const { dataDirectory } = await readFacts(client);
    const cluster = clusterOf(setup.home);
    if (dataDirectory !== cluster) {
      throw new EmbeddedPostgresError(
        'start_failed',
        `The server on port ${server.port} serves ${dataDirectory}, not ${cluster}. Start again.`,
      );
    }
    await ensureRolesAndDatabase(client, credentials);
  });
}

function handleOf(
  setup: PostmasterSetup,
  credentials: ClusterCredentials,
  server: StartedPostmaster,
  lock: FolderLock,
  reused: boolean,
): EmbeddedPostgres {
  const stopRotation = keepServerLogSmall(setup.home, setup.log);
  const keeper = new ServerKeeper(setup, server);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const began = performance.now();
    stopRotation();
    await keeper.stop();
    await lock.release();
    setup.log('embedded_postgres.stopped', { serverPid: keeper.pid, ms: Math.round(performance.now() - began) });
  };
  return {
    ...urlsOf(credentials, server.port),
    port: server.port,
    dataDirectory: setup.home,
    reused,
    stop: () => (stopping ??= stop()),
  };
}

function urlsOf(credentials: ClusterCredentials, port: number): EmbeddedPostgresUrls {
  return {
    superuserUrl: loginUrl(credentials, 'postgres', port, 'postgres'),
    ownerUrl: loginUrl(credentials, 'kb_owner', port, DATABASE),
    serviceUrl: loginUrl(credentials, 'kb_service', port, DATABASE),
  };
}

async function realCluster(home: string): Promise<string | null> {
  try {
    return await realpath(clusterOf(home));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The right of one process to run the database of one folder; throws `data_in_use` while another has it. */
async function acquireOwnerLock(folder: string): Promise<FolderLock> {
  try {
    return await acquireFolderLock(folder);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new EmbeddedPostgresError(
      'data_in_use',
      `The data folder ${folder} is in use by ${error.owner}. Stop that service first, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}
