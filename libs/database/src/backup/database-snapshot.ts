import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseSetupError } from '../database.errors.js';
import { clientRowsOf } from '../client-rows.js';
import { findRoles, quoted, type DatabaseRoles } from '../roles.js';
import { result, statement } from '../statement.js';
import { CopyOut } from './copy-streams.js';
import { FILES_LOCK } from './file-removals.js';
import {
  COPY_SETTINGS,
  copyOutSql,
  readMigrations,
  readSequences,
  readTables,
  type SequenceState,
  type TableShape,
} from './table-catalogue.js';

const LOCK_PATIENCE_MS = 60_000;
const LOCK_POLL_MS = 100;
const HEARTBEAT_MS = 20_000;
/** The server ends the session of a backup that has vanished, and with it the lock, at the latest after this time. */
const SESSION_EXPIRY = `SET idle_session_timeout TO '2min'; SET tcp_keepalives_idle TO 30; SET tcp_keepalives_interval TO 10;
  SET tcp_keepalives_count TO 3`;
/** Rows of a tenant that are read at once. */
const PAGE = 1_000;

const PING = statement({ alive: result.integer }, `SELECT 1 AS alive`);
const LIST_TENANTS = statement({ id: result.uuid() }, `SELECT id FROM tenants ORDER BY id`);
const READ_VERSION = statement({ version: result.text() }, `SELECT current_setting('server_version') AS version`);
const READ_BYTES = statement({ bytes: result.bigint }, `SELECT pg_database_size(current_database()) AS bytes`);
const TRY_FILES_LOCK = statement({ taken: result.boolean }, `SELECT pg_try_advisory_lock($1) AS taken`);
const FIND_OTHER_BACKUP = statement(
  { found: result.integer },
  `SELECT 1 AS found FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1
     AND mode = 'ExclusiveLock' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

export interface SnapshotOptions {
  /** The service's login. */
  readonly url: string;
  readonly rolePrefix: string;
}

/** All of the database as it was at one moment. */
export interface DatabaseSnapshot {
  readonly tables: readonly TableShape[];
  /** Of all tenants, in their order. */
  readonly tenants: readonly string[];
  readonly migrations: readonly string[];
  readonly serverVersion: string;
  /** What the database takes. */
  readonly bytes: number;
  /** The rows of a table: of one tenant when it is a table of tenants, else of all (null). Read one stream to its end before the next. */
  copyRows(table: TableShape, tenant: string | null): Promise<CopyOut>;
  /** Rows of one tenant, by `SELECT … WHERE … AND id > $1 ORDER BY id LIMIT $2` with a column `id`, as it is asked for more. */
  rowsOfTenant<Row extends { readonly id: string }>(tenant: string, sql: string): AsyncGenerator<Row>;
  /** Not older than the snapshot: no row of it has a number that is still to come. */
  readSequences(): Promise<SequenceState[]>;
}

/** A session that keeps stored files from being removed, and the snapshot of the database that names them. */
export class BackupSession {
  private failure: Error | undefined;

  private constructor(
    private readonly client: Client,
    private readonly roles: DatabaseRoles,
  ) {
    client.on('error', (error) => (this.failure = error));
  }

  /** From now on no stored file is removed. @throws DatabaseSetupError when another backup runs */
  static async begin(options: SnapshotOptions): Promise<BackupSession> {
    const client = new Client({
      connectionString: options.url,
      application_name: 'kb-backup',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    await client.connect();
    try {
      await client.query(SESSION_EXPIRY);
      await takeFilesLock(client);
      return new BackupSession(client, await findRoles(client, options.rolePrefix));
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Gives `work` the snapshot, which ends with it. */
  async readSnapshot<T>(work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T> {
    await this.client.query(
      `START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${COPY_SETTINGS}; ${this.asSystem()}`,
    );
    const worked = await work(await this.takeSnapshot());
    await this.client.query('COMMIT');
    return worked;
  }

  /** Runs `work` while files are kept. @throws the session's error when it broke: files may have been removed then */
  async keepFilesDuring<T>(work: () => Promise<T>): Promise<T> {
    const heartbeat = setInterval(() => {
      clientRowsOf(this.client, PING).catch((error: unknown) => {
        this.failure = error instanceof Error ? error : new Error(String(error));
      });
    }, HEARTBEAT_MS);
    try {
      const worked = await work();
      if (this.failure !== undefined) throw this.failure;
      await clientRowsOf(this.client, PING);
      return worked;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async end(): Promise<void> {
    await this.client.end();
  }

  private async takeSnapshot(): Promise<DatabaseSnapshot> {
    const { client } = this;
    const migrations = await readMigrations(client);
    if (migrations.length === 0) {
      throw new DatabaseSetupError('The database holds no schema of this service, so there is nothing to back up.');
    }
    const tables = await readTables(client);
    const tenants = await clientRowsOf(client, LIST_TENANTS);
    const [server] = await clientRowsOf(client, READ_VERSION);
    const [size] = await clientRowsOf(client, READ_BYTES);
    return {
      tables,
      tenants: tenants.map(({ id }) => id),
      migrations,
      serverVersion: server!.version,
      bytes: Number(size!.bytes),
      copyRows: async (table, tenant) => {
        await client.query(tenant === null ? this.asSystem() : this.asTenant(tenant));
        return client.query(new CopyOut(copyOutSql(table)));
      },
      rowsOfTenant: (tenant, sql) => this.rowsOfTenant(tenant, sql),
      readSequences: async () => {
        await client.query(this.asSystem());
        return readSequences(client);
      },
    };
  }

  private async *rowsOfTenant<Row extends { readonly id: string }>(tenant: string, sql: string): AsyncGenerator<Row> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      await this.client.query(this.asTenant(tenant));
      const { rows } = await this.client.query<Row>(sql, [after, PAGE]);
      yield* rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  }

  private asSystem(): string {
    return this.roles.system === null ? 'SELECT 1' : `SET LOCAL ROLE ${quoted(this.roles.system)}`;
  }

  private asTenant(tenant: string): string {
    const role = this.roles.app === null ? '' : `SET LOCAL ROLE ${quoted(this.roles.app)}; `;
    return `${role}SELECT set_config('app.tenant_id', ${this.client.escapeLiteral(tenant)}, true)`;
  }
}

/** Waits for removals that are under way; they take seconds. */
async function takeFilesLock(client: Client): Promise<void> {
  for (const end = performance.now() + LOCK_PATIENCE_MS; ; await delay(LOCK_POLL_MS)) {
    const [lock] = await clientRowsOf(client, TRY_FILES_LOCK, [FILES_LOCK]);
    if (lock?.taken === true) return;
    const others = await clientRowsOf(client, FIND_OTHER_BACKUP, [FILES_LOCK]);
    if (others.length > 0)
      throw new DatabaseSetupError('Another backup of this database is under way. Wait for its end.');
    if (performance.now() > end)
      throw new DatabaseSetupError('Files are being removed without a pause. Try again later.');
  }
}
