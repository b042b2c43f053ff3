import type { Client } from 'pg';
import { clientRowsOf } from '../client-rows.js';
import { quoted } from '../roles.js';
import { result, statement, statementFamily } from '../statement.js';

/** Which migrations have run; it is part of the schema and made with it. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** A table as the catalogue describes it. */
export interface TableShape {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
  /** Whether row-level security shows one tenant's rows at a time. */
  readonly ofTenants: boolean;
  /** What the rows are ordered by, the same on every server: SQL. */
  readonly order: string;
  /** Other tables that its rows point to. */
  readonly refersTo: readonly string[];
}

export interface SequenceState {
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
}

const KEY = `FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number JOIN pg_type t ON t.oid = a.atttypid
  WHERE i.indrelid = c.oid AND i.indisprimary`;

const LIST_TABLES = statement(
  {
    name: result.name,
    ofTenants: result.boolean,
    columns: result.texts(),
    key: result.texts(),
    textKeys: result.texts(),
    refersTo: result.texts(),
  },
  `SELECT c.relname AS name, c.relrowsecurity AS "ofTenants",
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT a.attname::text ${KEY} ORDER BY k.place) AS key,
       ARRAY(SELECT a.attname::text ${KEY} AND t.typcategory = 'S') AS "textKeys",
       ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint r JOIN pg_class f ON f.oid = r.confrelid
             WHERE r.conrelid = c.oid AND r.contype = 'f' AND r.confrelid <> c.oid) AS "refersTo"
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> $1 ORDER BY c.relname COLLATE "C"`,
);
const LIST_SEQUENCES = statement(
  { name: result.name },
  `SELECT s.relname AS name FROM pg_class s WHERE s.relnamespace = 'public'::regnamespace AND s.relkind = 'S'
       AND NOT EXISTS (SELECT 1 FROM pg_depend d JOIN pg_class c ON c.oid = d.refobjid WHERE d.objid = s.oid AND c.relname = $1)
     ORDER BY s.relname COLLATE "C"`,
);
const READ_SEQUENCE = statementFamily(
  { lastValue: result.text(), isCalled: result.boolean },
  (name: string) => `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${quoted(name)}`,
  [['fencing_tokens']],
);
const IS_RELATION = statement({ there: result.boolean }, `SELECT to_regclass($1) IS NOT NULL AS there`);
const LIST_MIGRATIONS = statement({ name: result.text() }, `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);

/** Every table of the schema but the record of migrations, in the order of their names. */
export async function readTables(client: Client): Promise<TableShape[]> {
  const rows = await clientRowsOf(client, LIST_TABLES, [MIGRATIONS_TABLE]);
  return rows.map(({ key, textKeys, ...table }) => ({ ...table, order: orderOf(key, textKeys) }));
}

/** By the primary key; texts by their bytes, whatever the collation of the database. */
function orderOf(key: readonly string[], textKeys: readonly string[]): string {
  if (key.length === 0) return 't::text COLLATE "C"';
  return key.map((name) => `t.${quoted(name)}${textKeys.includes(name) ? ' COLLATE "C"' : ''}`).join(', ');
}

/** The sequences of the schema, those of identity columns included. Their values are those of now, whatever the snapshot. */
export async function readSequences(client: Client): Promise<SequenceState[]> {
  const rows = await clientRowsOf(client, LIST_SEQUENCES, [MIGRATIONS_TABLE]);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const [state] = await clientRowsOf(client, READ_SEQUENCE.of(name));
    states.push({ name, ...state! });
  }
  return states;
}

/** Names of the migrations that have run, oldest first; empty for a database without a schema. */
export async function readMigrations(client: Client): Promise<string[]> {
  const [found] = await clientRowsOf(client, IS_RELATION, [`public.${MIGRATIONS_TABLE}`]);
  if (found?.there !== true) return [];
  const rows = await clientRowsOf(client, LIST_MIGRATIONS);
  return rows.map((row) => row.name);
}

/** The tables in an order in which each comes after those that its rows point to. @throws Error when two point to each other. */
export function inOrderOfReferences(tables: readonly TableShape[]): TableShape[] {
  const ordered: TableShape[] = [];
  const done = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, refersTo }) => !done.has(name) && refersTo.every((other) => done.has(other)));
    if (next.length === 0)
      throw new Error('Tables whose rows point to each other cannot be restored one after the other');
    for (const table of next) done.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** What every session that reads or writes copies sets, so that the same rows are the same bytes on every server. */
export const COPY_SETTINGS = `SET LOCAL TimeZone TO 'UTC'; SET LOCAL DateStyle TO 'ISO, MDY'; SET LOCAL IntervalStyle TO 'postgres';
  SET LOCAL bytea_output TO 'hex'; SET LOCAL extra_float_digits TO 1;
  SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO 0`;

/** The statement that gives the rows of a table that the session sees, in their order. */
export function copyOutSql(table: TableShape): string {
  const columns = table.columns.map((name) => `t.${quoted(name)}`).join(', ');
  return `COPY (SELECT ${columns} FROM public.${quoted(table.name)} t ORDER BY ${table.order}) TO STDOUT`;
}
