import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { accessAs, DatabaseSetupError } from './database.errors.js';
import { MIGRATIONS } from './migrations/index.js';
import { migratePlugins, type PluginSchema } from './plugin-schemas.js';
import { clientRowsOf } from './client-rows.js';
import { refreshNaturalOrder } from './natural-order.js';
import { ensureRoles, grantRights, type DatabaseRoles } from './roles.js';
import { result, statement } from './statement.js';

/** Key of the advisory lock that lets one process migrate while others wait. */
export const MIGRATION_LOCK = 7_061_823;
const OLDEST_SERVER = 150_000;
const CONNECT_MS = 10_000;

const LOCK = statement({ pg_advisory_lock: result.nothing }, `SELECT pg_advisory_lock($1)`);
/** Free in any database but the one whose lock is held. */
const TRY_LOCK = statement({ free: result.boolean }, `SELECT pg_try_advisory_lock_shared($1) AS free`);
const LIST_TENANT_TABLES = statement(
  { name: result.name },
  `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity AND relforcerowsecurity ORDER BY 1`,
);
const LIST_VIEWS = statement(
  { name: result.name },
  `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
     AND 'security_invoker=true' = ANY (reloptions) ORDER BY 1`,
);
const FIND_LOGIN = statement(
  { login: result.text(), unsafe: result.boolean },
  `SELECT rolname::text AS login, rolsuper OR rolbypassrls AS unsafe FROM pg_roles WHERE rolname = current_user`,
);
const FIND_OWNER = statement({ owner: result.name }, `SELECT current_user AS owner`);
const FIND_VERSION = statement({ version: result.text() }, `SELECT current_setting('server_version_num') AS version`);

export interface MigrateOptions {
  readonly migrationUrl: string;
  readonly serviceUrl: string;
  readonly rolePrefix: string;
  /** Migrations of others that live in the same database (the queue's), run under the same lock. */
  readonly also: readonly ((migrationUrl: string, roles: DatabaseRoles) => Promise<void>)[];
  /** Names of the migrations that may run; default: all. */
  readonly only?: readonly string[];
  /** Tables of plugins, made after those of the service. Undefined: plugins are not looked at. */
  readonly plugins?: readonly PluginSchema[];
}

/**
 * Brings the schema up to date and sets the rights of the roles. Safe when several processes start at once.
 * @throws DatabaseSetupError that says what to change; DatabaseAccessError for everything else
 */
export function migrate(options: MigrateOptions): Promise<DatabaseRoles> {
  return accessAs('owner', () => migrateAsOwner(options));
}

async function migrateAsOwner(options: MigrateOptions): Promise<DatabaseRoles> {
  const client = new Client({
    connectionString: options.migrationUrl,
    application_name: 'kb-migrate',
    connectionTimeoutMillis: CONNECT_MS,
  });
  await client.connect();
  try {
    await refuseOldServer(client);
    await clientRowsOf(client, LOCK, [MIGRATION_LOCK]);
    const isSplit = options.serviceUrl !== options.migrationUrl;
    const login = await accessAs('service', () => loginOf(options.serviceUrl, isSplit));
    const roles = await ensureRoles(client, options.rolePrefix, login);
    await refuseSplitLoginsWithoutRoles(client, roles, login);
    await runMigrations(options.migrationUrl, options.only);
    await refreshNaturalOrder(client);
    if (options.plugins !== undefined) await migratePlugins(client, options.plugins);
    for (const run of options.also) await run(options.migrationUrl, roles);
    const views = (await clientRowsOf(client, LIST_VIEWS)).map(({ name }) => name);
    await grantRights(client, roles, await listTenantTables(client), views);
    return roles;
  } finally {
    await client.end();
  }
}

/** Names of the migrations that this version knows, oldest first. */
export function listMigrations(): string[] {
  return MIGRATIONS.map(nameOf);
}

function nameOf(migration: (typeof MIGRATIONS)[number]): string {
  return new migration().name;
}

/** Tables with forced row-level security, that is: those that hold one tenant's rows. */
export async function listTenantTables(client: Client): Promise<string[]> {
  const found = await clientRowsOf(client, LIST_TENANT_TABLES);
  return found.map((row) => row.name);
}

/** The login of the service. To be asked while the owner's connection holds the lock of migrations: where the owner has another address, it tells one database from two. */
async function loginOf(url: string, isSplit: boolean): Promise<string> {
  const client = new Client({
    connectionString: url,
    application_name: 'kb-migrate',
    connectionTimeoutMillis: CONNECT_MS,
  });
  await client.connect();
  try {
    const [lock] = isSplit ? await clientRowsOf(client, TRY_LOCK, [MIGRATION_LOCK]) : [];
    if (lock?.free === true) {
      throw new DatabaseSetupError(
        'DATABASE_URL and DATABASE_MIGRATION_URL lead to different databases. Let both name the same server and database, each with its own login, and no pooler that shares sessions.',
      );
    }
    const [found] = await clientRowsOf(client, FIND_LOGIN);
    const { login, unsafe } = found!;
    if (unsafe) {
      throw new DatabaseSetupError(
        `The role "${login}" of DATABASE_URL is a superuser or has BYPASSRLS, so row-level security would not bind it. ` +
          'Give the service a role of its own: CREATE ROLE kb LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE PASSWORD …; CREATE DATABASE kb OWNER kb.',
      );
    }
    return login;
  } finally {
    await client.end();
  }
}

/** Without roles the service works as its login, which then must own the tables. */
async function refuseSplitLoginsWithoutRoles(client: Client, roles: DatabaseRoles, login: string): Promise<void> {
  if (roles.app !== null) return;
  const [found] = await clientRowsOf(client, FIND_OWNER);
  const owner = found?.owner ?? '';
  if (owner === login) return;
  throw new DatabaseSetupError(
    `The role "${owner}" of DATABASE_MIGRATION_URL may not create roles, so "${login}" of DATABASE_URL cannot reach its tables. ` +
      `Give "${owner}" CREATEROLE, or use one login for both.`,
  );
}

async function refuseOldServer(client: Client): Promise<void> {
  const [found] = await clientRowsOf(client, FIND_VERSION);
  const version = Number(found?.version);
  if (version < OLDEST_SERVER) {
    throw new DatabaseSetupError(`PostgreSQL 15 or newer is needed; this server reports ${version}.`);
  }
}

async function runMigrations(url: string, only: readonly string[] | undefined): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations: MIGRATIONS.filter((migration) => only?.includes(nameOf(migration)) ?? true),
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
