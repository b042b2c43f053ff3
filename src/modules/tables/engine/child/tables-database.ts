import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { TEXT_PLACE_COLUMNS } from '../guard/row-sources.js';
import { parseTree } from '../guard/tree-parts.js';
import type { ViewColumn } from '../view-part.js';
import type { ChildOptions, TableToLoad } from './protocol.js';

/** Settings after loading; none of them can be undone. */
const LOCK_DOWN = [
  "SET max_temp_directory_size = '0KB'",
  'SET enable_external_access = false',
  "SET disabled_filesystems = 'LocalFileSystem'",
  'SET lock_configuration = true',
];

/** A database in memory. Tables are loaded once; afterwards it cannot access anything outside. */
export class TablesDatabase {
  private readonly instance: DuckDBInstance;
  /** Connection for internal statements; statements of callers have connections of their own. */
  private readonly own: DuckDBConnection;
  private readonly held = new Set<string>();
  private isLocked = false;

  private constructor(instance: DuckDBInstance, own: DuckDBConnection) {
    this.instance = instance;
    this.own = own;
  }

  static async open({ memoryBytes, threads }: ChildOptions): Promise<TablesDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${Math.floor(memoryBytes / 1024)}KiB`,
      temp_directory: '',
      errors_as_json: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    return new TablesDatabase(instance, await instance.connect());
  }

  /** Once, before the first statement is carried out. */
  async load(tables: readonly TableToLoad[]): Promise<void> {
    for (const table of tables) {
      await this.own.run(statementOf(table));
      if (table.kind === 'file') await this.addMissingPlaces(table.name);
      this.held.add(table.name);
    }
    for (const statement of LOCK_DOWN) await this.own.run(statement);
    this.isLocked = true;
  }

  /** Whether all of these are here; false for any, also for none, before tables were loaded and the database was locked. */
  holds(tables: readonly string[]): boolean {
    return this.isLocked && tables.every((name) => this.held.has(name));
  }

  /** The tree of a text; only read, not carried out. */
  async parse(sql: string): Promise<unknown> {
    const answer = await this.own.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
    return parseTree(String(answer.getRows()[0]![0]));
  }

  /** The statement that a tree represents. */
  async write(tree: unknown): Promise<string> {
    const answer = await this.own.runAndReadAll('SELECT json_deserialize_sql($1::JSON)', [JSON.stringify(tree)]);
    return String(answer.getRows()[0]![0]);
  }

  connect(): Promise<DuckDBConnection> {
    return this.instance.connect();
  }

  private async addMissingPlaces(table: string): Promise<void> {
    for (const column of TEXT_PLACE_COLUMNS) {
      await this.own.run(`ALTER TABLE ${identifier(table)} ADD COLUMN IF NOT EXISTS ${identifier(column)} BIGINT`);
    }
  }
}

function statementOf(table: TableToLoad): string {
  if (table.kind === 'file') {
    return `CREATE TABLE ${identifier(table.name)} AS SELECT * FROM read_parquet(${literal(table.path)})`;
  }
  const parts = table.parts.map(
    ({ from, columns }) => `SELECT ${columns.map(columnOf).join(', ')} FROM ${identifier(from)}`,
  );
  return `CREATE VIEW ${identifier(table.name)} AS ${parts.join(' UNION ALL ')}`;
}

function columnOf(column: ViewColumn): string {
  const name = identifier(column.name);
  if ('text' in column) return `${literal(column.text)} AS ${name}`;
  return column.castTo === undefined ? name : `CAST(${name} AS ${column.castTo}) AS ${name}`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
