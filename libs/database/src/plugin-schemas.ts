import type { Client } from 'pg';
import { DatabaseSetupError } from './database.errors.js';
import { clientRowsOf } from './client-rows.js';
import { PluginMigrationEntity } from './plugin-migration.entity.js';
import { columnsOf, result, statement, statementFamily } from './statement.js';
import { findUnboundTables } from './tenant-isolation.js';

const LIST_EXECUTED = statement(
  columnsOf(PluginMigrationEntity, 'name'),
  `SELECT name FROM plugin_migrations WHERE plugin = $1`,
);
const NOTE_EXECUTED = statement({}, `INSERT INTO plugin_migrations (plugin, name) VALUES ($1, $2)`);
const LIST_PLUGINS = statement(
  columnsOf(PluginMigrationEntity, 'plugin'),
  `SELECT DISTINCT plugin FROM plugin_migrations ORDER BY 1`,
);
const LIST_TENANTS = statement({ id: result.uuid() }, `SELECT id FROM tenants`);
const SET_TENANT = statement({ set_config: result.text() }, `SELECT set_config('app.tenant_id', $1, true)`);
/** The tables are those of plugins; any other represents them. */
const FIND_ROW = statementFamily(
  { there: result.integer },
  (table: string) => `SELECT 1 AS there FROM "${table}" LIMIT 1`,
  [['audit_log']],
);
const LIST_TABLES = statement(
  { name: result.name },
  `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
);

/** Runs a statement of a plugin's migration, or several without parameters. */
export type MigrationQuery = (sql: string, parameters?: readonly unknown[]) => Promise<void>;

/** One migration of a plugin. A released migration is never changed; new ones are appended. */
export interface PluginMigration {
  /** Unique within the plugin: `0001-notes`. */
  readonly name: string;
  up(query: MigrationQuery): Promise<void>;
}

/** Database schema of a plugin. */
export interface PluginSchema {
  /** Name of the plugin. Its tables begin with it, hyphens written as `_`. */
  readonly plugin: string;
  readonly migrations: readonly PluginMigration[];
}

/** What the names of a plugin's tables begin with. */
export function tablePrefixOf(plugin: string): string {
  return `${plugin.replaceAll('-', '_')}_`;
}

/**
 * Runs the migrations of the plugins: all of one plugin in one transaction, with a check of the tables that they made. Run under the migration
 * lock, after the service's own migrations. @throws DatabaseSetupError, and nothing of the plugin remains
 */
export async function migratePlugins(client: Client, schemas: readonly PluginSchema[]): Promise<void> {
  await refuseAbsentPlugins(client, new Set(schemas.map(({ plugin }) => plugin)));
  for (const schema of schemas) {
    await client.query('BEGIN');
    try {
      await migrateOne(client, schema);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      if (error instanceof DatabaseSetupError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseSetupError(`A migration of the plugin "${schema.plugin}" failed: ${reason}`, { cause: error });
    }
  }
}

async function migrateOne(client: Client, { plugin, migrations }: PluginSchema): Promise<void> {
  const before = new Set(await listTables(client));
  const done = await clientRowsOf(client, LIST_EXECUTED, [plugin]);
  const executed = new Set(done.map(({ name }) => name));
  for (const migration of migrations.filter(({ name }) => !executed.has(name))) {
    await migration.up(async (sql, parameters) => {
      await client.query(sql, parameters === undefined ? undefined : [...parameters]);
    });
    await clientRowsOf(client, NOTE_EXECUTED, [plugin, migration.name]);
  }
  const after = await listTables(client);
  refuseForeignNames(
    plugin,
    after.filter((table) => !before.has(table)),
  );
  await refuseUnboundTables(client, plugin, tablesOf(plugin, after));
}

function refuseForeignNames(plugin: string, added: readonly string[]): void {
  const prefix = tablePrefixOf(plugin);
  const foreign = added.filter((table) => !table.startsWith(prefix));
  if (foreign.length === 0) return;
  throw new DatabaseSetupError(
    `The plugin "${plugin}" made ${foreign.join(', ')}: the names of its tables must begin with "${prefix}".`,
  );
}

async function refuseUnboundTables(client: Client, plugin: string, tables: readonly string[]): Promise<void> {
  const unbound = await findUnboundTables(client, tables);
  if (unbound.length === 0) return;
  throw new DatabaseSetupError(
    `Row-level security does not bind ${unbound.join(', ')} of the plugin "${plugin}": each of its tables needs a column ` +
      '"tenant_id uuid NOT NULL" and the statements that tenantIsolation(table) gives.',
  );
}

/** A plugin that is no longer listed takes no data along: its rows would be shown by no one, and removed by no one. */
async function refuseAbsentPlugins(client: Client, present: ReadonlySet<string>): Promise<void> {
  const rows = await clientRowsOf(client, LIST_PLUGINS);
  const tables = await listTables(client);
  for (const { plugin } of rows.filter((row) => !present.has(row.plugin))) {
    const filled = await findFilledTables(client, tablesOf(plugin, tables));
    if (filled.length === 0) continue;
    throw new DatabaseSetupError(
      `PLUGINS lacks "${plugin}", and there are rows in its tables: ${filled.join(', ')}. Install it and list it again, or delete ` +
        'its rows and tables by hand if they are not needed any more.',
    );
  }
}

/** Row-level security binds the owner of the tables as well, so each tenant is asked. */
async function findFilledTables(client: Client, tables: readonly string[]): Promise<string[]> {
  const filled = new Set<string>();
  const tenants = await clientRowsOf(client, LIST_TENANTS);
  await client.query('BEGIN');
  try {
    for (const { id } of tenants) {
      await clientRowsOf(client, SET_TENANT, [id]);
      for (const table of tables.filter((name) => !filled.has(name))) {
        const found = await clientRowsOf(client, FIND_ROW.of(table));
        if (found.length === 1) filled.add(table);
      }
    }
  } finally {
    await client.query('ROLLBACK');
  }
  return [...filled].sort();
}

async function listTables(client: Client): Promise<string[]> {
  const rows = await clientRowsOf(client, LIST_TABLES);
  return rows.map(({ name }) => name);
}

function tablesOf(plugin: string, tables: readonly string[]): string[] {
  return tables.filter((table) => table.startsWith(tablePrefixOf(plugin)));
}
