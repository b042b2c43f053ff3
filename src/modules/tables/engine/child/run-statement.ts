import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { StatementType } from '@duckdb/node-api';
import { asDocumentsOf, SOURCE_COLUMNS, withRowSources } from '../guard/row-sources.js';
import { checkParameters } from '../guard/check-parameters.js';
import { checkStatement } from '../guard/statement-guard.js';
import type { AllowedStatement, TreeNode } from '../guard/statement-verdict.js';
import type { CellValue, ResultColumn } from '../table-engine.port.js';
import { cellValueOf, resultTypeOf } from './cell-values.js';
import { failureOf } from './failures.js';
import type { RowPlace, RunOutcome, StatementToRun } from './protocol.js';
import { StatementFailed } from './statement-failed.js';
import type { StatementInterrupt } from './statement-interrupt.js';
import type { TablesDatabase } from './tables-database.js';

/** Maximum number of documents that are determined one by one. */
const MAX_DOCUMENTS = 1000;

/** Executes one statement, if it is allowed and its tables are loaded, on a read-only connection of its own. */
export async function runStatement(
  database: TablesDatabase,
  statement: StatementToRun,
  stop: StatementInterrupt,
): Promise<RunOutcome> {
  const tree = await database.parse(statement.sql);
  const verdict = checkStatement(tree, statement.tables);
  if (verdict.kind === 'refused') return verdict;
  const allowed = verdict.statement;
  const refusal = checkParameters(allowed.parameters, statement);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (!database.holds(allowed.tables)) return { kind: 'needs', tables: allowed.tables };
  const connection = await database.connect();
  stop.watch(connection);
  const run = new StatementRun(database, connection, statement, stop);
  try {
    await connection.run('BEGIN TRANSACTION READ ONLY');
    return await run.answer(tree as TreeNode, allowed);
  } catch (error) {
    const { at, ...failure } = failureOf(error, stop);
    return { kind: 'failed', ...failure, ...(run.arePlacesKnown && at !== undefined ? { at } : {}) };
  } finally {
    stop.forget();
    connection.closeSync();
  }
}

/** One statement on its connection. */
class StatementRun {
  private readonly database: TablesDatabase;
  private readonly connection: DuckDBConnection;
  private readonly statement: StatementToRun;
  private readonly stop: StatementInterrupt;
  /** Whether a place in an error is one of the statement as it is written. */
  arePlacesKnown = true;

  constructor(
    database: TablesDatabase,
    connection: DuckDBConnection,
    statement: StatementToRun,
    stop: StatementInterrupt,
  ) {
    this.database = database;
    this.connection = connection;
    this.statement = statement;
    this.stop = stop;
  }

  async answer(tree: TreeNode, { plain, filtered, tables }: AllowedStatement): Promise<RunOutcome> {
    // As it is written: what is wrong in it is told by its own places.
    const written = await this.prepare(this.statement.sql);
    this.arePlacesKnown = false;
    const text = plain === undefined ? undefined : await this.database.write(withRowSources(tree, plain));
    const prepared = text === undefined ? written : await this.prepare(text);
    const { columns, rows, truncated } = await this.read(prepared, this.statement.limit);
    if (plain !== undefined) return { kind: 'rows', ...withPlaces(columns, rows), truncated, tables };
    const documents =
      filtered === undefined ? null : await this.documents(await this.database.write(asDocumentsOf(tree, filtered)));
    return { kind: 'rows', columns, rows, truncated, places: null, documents, tables };
  }

  private async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    this.stop.throwIfStopped();
    const prepared = await this.connection.prepare(sql);
    if (prepared.statementType !== StatementType.SELECT) {
      throw new StatementFailed('invalid', 'The text is not a SELECT.');
    }
    for (let index = 1; index <= prepared.parameterCount; index += 1) {
      bindParameter(prepared, index, this.statement.params[prepared.parameterName(index)] ?? null);
    }
    return prepared;
  }

  private async documents(sql: string): Promise<string[] | null> {
    const { rows, truncated } = await this.read(await this.prepare(sql), MAX_DOCUMENTS);
    return truncated ? null : rows.map(([id]) => String(id));
  }

  /** Reads one row more than the limit at most. */
  private async read(
    prepared: DuckDBPreparedStatement,
    limit: number,
  ): Promise<{ columns: ResultColumn[]; rows: CellValue[][]; truncated: boolean }> {
    this.stop.throwIfStopped();
    const result = await prepared.stream();
    const types = result.columnTypes();
    const columns = namesOf(result).map((name, index) => ({ name, type: resultTypeOf(types[index]!) }));
    const rows: CellValue[][] = [];
    let room = this.statement.maxResultBytes;
    while (rows.length <= limit) {
      this.stop.throwIfStopped();
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (let row = 0; row < chunk.rowCount && rows.length <= limit; row += 1) {
        const cells = columns.map((_, column) =>
          cellValueOf(chunk.getColumnVector(column).getItem(row), types[column]!),
        );
        room -= sizeOf(cells);
        if (room < 0) throw tooLarge(this.statement.maxResultBytes);
        rows.push(cells);
      }
    }
    return { columns, rows: rows.slice(0, limit), truncated: rows.length > limit };
  }
}

/** Each name once: a second `a` is `a_2`. */
function namesOf(result: DuckDBResult): string[] {
  const taken = new Set<string>();
  return result.columnNames().map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

function withPlaces(
  columns: readonly ResultColumn[],
  rows: readonly (readonly CellValue[])[],
): { columns: ResultColumn[]; rows: CellValue[][]; places: RowPlace[]; documents: string[] } {
  const own = columns.length - SOURCE_COLUMNS.length;
  const places = rows.map((row) => {
    const [document, sheet, number] = row.slice(own);
    return { document_id: String(document), sheet: sheet === null ? null : String(sheet), row: Number(number) };
  });
  return {
    columns: columns.slice(0, own),
    rows: rows.map((row) => row.slice(0, own)),
    places,
    documents: [...new Set(places.map(({ document_id: id }) => id))],
  };
}

function bindParameter(prepared: DuckDBPreparedStatement, index: number, value: CellValue): void {
  if (value === null) return prepared.bindNull(index);
  if (typeof value === 'string') return prepared.bindVarchar(index, value);
  if (typeof value === 'boolean') return prepared.bindBoolean(index, value);
  if (Number.isSafeInteger(value)) return prepared.bindBigInt(index, BigInt(value));
  prepared.bindDouble(index, value);
}

function sizeOf(cells: readonly CellValue[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? 8 + Buffer.byteLength(cell) : 8), 0);
}

function tooLarge(bytes: number): StatementFailed {
  const mebibytes = Math.round(bytes / 1024 / 1024);
  return new StatementFailed(
    'result_too_large',
    `The rows of the result are larger than ${mebibytes} MiB. Select fewer columns, shorten texts, or send a smaller limit.`,
  );
}
