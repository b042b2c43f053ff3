import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { newId, NOWHERE_TENANT } from '#libs/common';
import { clientRowsOf } from '../client-rows.js';
import { DatabaseSetupError } from '../database.errors.js';
import { MIGRATION_LOCK } from '../migrate.js';
import { quoted } from '../roles.js';
import { result, statement, statementFamily } from '../statement.js';
import { CopyIn, CopyOut } from './copy-streams.js';
import {
  COPY_SETTINGS,
  copyOutSql,
  inOrderOfReferences,
  MIGRATIONS_TABLE,
  readMigrations,
  readTables,
  type SequenceState,
  type TableShape,
} from './table-catalogue.js';

/** Name that the sessions of a running service have. */
const SERVICE_SESSIONS = 'kb';
/** Holds the rows of one tenant on their way into a table that row-level security closes to COPY. */
const STAGE = 'restored_rows';

const FIND_SESSIONS = statement(
  { found: result.integer },
  `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
);
const SET_SEQUENCE = statement({ setval: result.bigint }, `SELECT setval($1::regclass, $2::bigint, $3)`);
const SET_TENANT = statement({ set_config: result.text() }, `SELECT set_config('app.tenant_id', $1, true)`);
/** The schema of this version has `tasks` alone; `maintenance_tasks` of earlier ones had the same columns. */
type TaskTable = 'tasks' | 'maintenance_tasks';
const TASK_TABLES = [['tasks']] as const;
const MARK_REINDEX = statementFamily(
  { id: result.uuid() },
  (table: TaskTable) =>
    `UPDATE ${table} SET payload = payload || $1 WHERE id = (
       SELECT id FROM ${table} WHERE kind = 'reindex' AND status = ANY ($2) AND NOT payload ?| ARRAY['to', 'finish']
       ORDER BY created_at, id LIMIT 1)
     RETURNING id`,
  TASK_TABLES,
);
const ADD_REINDEX = statementFamily(
  {},
  (table: TaskTable) => `INSERT INTO ${table} (id, tenant_id, kind, payload) VALUES ($1, $2, 'reindex', $3)`,
  TASK_TABLES,
);
const FIND_REINDEX_OF = statementFamily(
  { found: result.integer },
  (table: TaskTable) => `SELECT 1 AS found FROM ${table} WHERE kind = 'reindex' AND payload ->> 'restored_from' = $1`,
  TASK_TABLES,
);
const HAS_TASKS = statement({ is_there: result.boolean }, `SELECT to_regclass('public.tasks') IS NOT NULL AS is_there`);
const IS_FILLED = statement(
  { filled: result.boolean },
  `SELECT EXISTS (SELECT 1 FROM tenants) OR EXISTS (SELECT 1 FROM accounts) AS filled`,
);
const FIND_FOREIGN_TABLE = statement(
  { found: result.integer },
  `SELECT 1 AS found FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> $1 LIMIT 1`,
);

export interface RestoreTarget {
  /** The login that owns the tables. */
  readonly ownerUrl: string;
  /** Names the backup; the same backup is not loaded twice. */
  readonly backupId: string;
  /** Those that made the schema of the backup. */
  readonly migrations: readonly string[];
}

/** Rows of one tenant, or of a table without row-level security (null). */
export interface RowsOfTenant {
  readonly tenant: string | null;
  readonly rows: Readable;
}

/** What is in a database before a restore. */
export interface DatabaseFacts {
  readonly state: 'no schema' | 'empty' | 'foreign' | 'in use';
  readonly migrations: readonly string[];
  /** Whether a running service is connected to it. */
  readonly serviceRuns: boolean;
}

/** Looks at a database without changing it; as the service's login too, which alone may see what sessions of that login do. */
export async function inspectDatabase(logins: {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
}): Promise<DatabaseFacts> {
  const sessions = await withClient(logins.serviceUrl, (client) =>
    clientRowsOf(client, FIND_SESSIONS, [SERVICE_SESSIONS]),
  );
  return withClient(logins.ownerUrl, async (client) => {
    const migrations = await readMigrations(client);
    return { state: await stateOf(client, migrations), migrations, serviceRuns: sessions.length > 0 };
  });
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Loads the rows of a backup into an empty database of the same schema: all of them or, when anything fails, none. */
export class DatabaseRestore {
  private constructor(
    private readonly client: Client,
    private readonly backupId: string,
    /** Each after those that its rows point to. */
    readonly tables: readonly TableShape[],
  ) {}

  /**
   * Begins the transaction; until it ends no service can start on this database. Null when this backup has been loaded already.
   * @throws DatabaseSetupError when the database is not an empty one of the schema of the backup
   */
  static async begin(target: RestoreTarget): Promise<DatabaseRestore | null> {
    const client = await connect(target.ownerUrl);
    try {
      await client.query(`START TRANSACTION; ${COPY_SETTINGS}; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      if (await isLoaded(client, target.backupId)) {
        await client.end();
        return null;
      }
      const migrations = await readMigrations(client);
      if ((await stateOf(client, migrations)) !== 'empty') throw notEmpty();
      if (migrations.toSorted().join() !== target.migrations.toSorted().join()) {
        throw new DatabaseSetupError(
          'The schema of the database is newer than that of the backup. Restore into a new, empty database.',
        );
      }
      const tables = inOrderOfReferences(await readTables(client));
      const names = tables.map(({ name }) => `public.${quoted(name)}`).join(', ');
      // What migrations put there is in the backup too.
      await client.query(`TRUNCATE ${names}`);
      return new DatabaseRestore(client, target.backupId, tables);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Fills a table with rows as `COPY` gave them, part by part. Triggers do not fire. */
  async loadTable(table: TableShape, parts: AsyncIterable<RowsOfTenant> | Iterable<RowsOfTenant>): Promise<void> {
    const name = `public.${quoted(table.name)}`;
    const columns = table.columns.map(quoted).join(', ');
    await this.client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    if (table.ofTenants) await this.client.query(`CREATE TEMPORARY TABLE ${STAGE} (LIKE ${name})`);
    const target = table.ofTenants ? STAGE : name;
    for await (const { tenant, rows } of parts) {
      await pipeline(rows, this.client.query(new CopyIn(`COPY ${target} (${columns}) FROM STDIN`)));
      if (tenant === null) continue;
      await this.actAs(tenant);
      await this.client.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${STAGE}; TRUNCATE ${STAGE}`,
      );
    }
    if (table.ofTenants) await this.client.query(`DROP TABLE ${STAGE}`);
    await this.client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }

  /** The rows that are there now, for comparison. */
  async copyRows(table: TableShape, tenant: string | null): Promise<CopyOut> {
    if (tenant !== null) await this.actAs(tenant);
    return this.client.query(new CopyOut(copyOutSql(table)));
  }

  async setSequences(states: readonly SequenceState[]): Promise<void> {
    for (const { name, lastValue, isCalled } of states) {
      await clientRowsOf(this.client, SET_SEQUENCE, [`public.${quoted(name)}`, lastValue, isCalled]);
    }
  }

  /** Makes the rows durable, with a promise that the next start fills the vector store from them. */
  async commit(): Promise<void> {
    await this.promiseReindex();
    await this.client.query('COMMIT');
    await this.client.query('ANALYZE');
    await this.client.end();
  }

  /** Leaves the database as it was. */
  async giveUp(): Promise<void> {
    await this.client.end();
  }

  /** Marks an open reindex of the backup, which starts over, or adds one. Backups of earlier versions keep tasks in `maintenance_tasks`. */
  private async promiseReindex(): Promise<void> {
    const origin = { restored_from: this.backupId };
    const { table, open } = await findTaskTable(this.client);
    const taken = await clientRowsOf(this.client, MARK_REINDEX.of(table), [origin, open]);
    if (taken.length > 0) return;
    await clientRowsOf(this.client, ADD_REINDEX.of(table), [newId(), NOWHERE_TENANT, origin]);
  }

  private async actAs(tenant: string): Promise<void> {
    await clientRowsOf(this.client, SET_TENANT, [tenant]);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'kb-restore',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  // Without a listener an error between two queries would end the process; the next query rejects in its place.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Where the schema of the backup keeps what is to be done, and the states of that which is not done yet. */
async function findTaskTable(client: Client): Promise<{ readonly table: TaskTable; readonly open: readonly string[] }> {
  const [tasks] = await clientRowsOf(client, HAS_TASKS);
  return tasks?.is_there === true
    ? { table: 'tasks', open: ['open'] }
    : { table: 'maintenance_tasks', open: ['pending', 'running'] };
}

async function isLoaded(client: Client, backupId: string): Promise<boolean> {
  const { table } = await findTaskTable(client);
  const found = await clientRowsOf(client, FIND_REINDEX_OF.of(table), [backupId]);
  return found.length > 0;
}

function notEmpty(): DatabaseSetupError {
  return new DatabaseSetupError(
    'The database holds tenants or accounts already. Restore into an empty database (CREATE DATABASE … OWNER …).',
  );
}

/** Every installation has a tenant and an account from its first start on. */
async function stateOf(client: Client, migrations: readonly string[]): Promise<DatabaseFacts['state']> {
  if (migrations.length > 0) {
    const [row] = await clientRowsOf(client, IS_FILLED);
    return row?.filled === true ? 'in use' : 'empty';
  }
  const others = await clientRowsOf(client, FIND_FOREIGN_TABLE, [MIGRATIONS_TABLE]);
  return others.length > 0 ? 'foreign' : 'no schema';
}
