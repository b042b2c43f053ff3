/** Tables for questions, read and loaded in this process as ingestion and the engine do. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  calibrate,
  chooseReading,
  LEAST_CONFIDENCE,
  judgeResult,
  probeStatement,
  readQuestion,
  type FoundValue,
  type QuestionTable,
  type Reading,
  type RivalReading,
  MemoryDatabase,
} from '../../src/modules/tables/testing/question-rules.js';
import { ColumnProfiler, TableReader, TableScan, type CellValue, type ColumnType } from '#libs/tabular';
import { parseBytes } from '../../libs/parsing/src/testing/parse-bytes.js';
import { rowsOfSegments, type FoundTable } from '../../src/modules/tables/testing/segment-tables.js';

const LIMITS = { maxColumns: 300, maxRows: 1_000_000, maxCells: 5_000_000 };
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
};

export interface Answer {
  /** Its confidence is calibrated, as routes and chats show it. */
  readonly reading: Reading | undefined;
  /** How well it fits, before that. */
  readonly fit: number;
  /** Undefined: refused. */
  readonly rows: readonly (readonly CellValue[])[] | undefined;
}

/** The tables of files in a database of their own. */
export class QuestionTables {
  private constructor(
    private readonly connection: MemoryDatabase,
    private readonly tables: readonly QuestionTable[],
  ) {}

  static async read(paths: readonly string[], sheet: string | null = null): Promise<QuestionTables> {
    const connection = await MemoryDatabase.open();
    const tables: QuestionTable[] = [];
    for (const path of paths) {
      for (const rows of await rowsByTable(path, sheet))
        tables.push(await load(connection, `t${tables.length + 1}`, basename(path), rows));
    }
    return new QuestionTables(connection, tables);
  }

  async ask(question: string): Promise<Answer> {
    const readings: RivalReading[] = [];
    for (const table of this.tables) {
      const probe = probeStatement(question, table);
      const found =
        probe === undefined
          ? []
          : ((await this.rows(probe)) as [string, string][]).map(([column, value]): FoundValue => ({ column, value }));
      const reading = readQuestion(question, table, found);
      if (reading !== undefined) readings.push({ reading, rows: [table.name] });
    }
    const chosen = chooseReading(readings, this.tables.length);
    if (chosen === undefined) return { reading: undefined, fit: 0, rows: undefined };
    const { reading, ambiguous } = chosen;
    if (ambiguous.length > 0 || reading.confidence < LEAST_CONFIDENCE)
      return shown(reading, reading.confidence, undefined);
    const rows = await this.rows(reading.sql);
    const fit = judgeResult(question, reading, rows);
    return shown(reading, fit, fit < LEAST_CONFIDENCE ? undefined : rows);
  }

  private async rows(sql: string): Promise<CellValue[][]> {
    return (await this.connection.rows(sql)) as CellValue[][];
  }
}

function shown(reading: Reading, fit: number, rows: Answer['rows']): Answer {
  return { reading: { ...reading, confidence: calibrate(fit) }, fit, rows };
}

type Rows = { readonly row: number; readonly cells: readonly string[] }[];

async function rowsByTable(path: string, sheet: string | null): Promise<Rows[]> {
  const { text, blocks } = await parseBytes(readFileSync(path), basename(path));
  async function* segments(): AsyncGenerator<{ start: number; text: string; blocks: typeof blocks }> {
    yield { start: 0, text, blocks };
  }
  const tables = new Map<number, { table: FoundTable; rows: Rows }>();
  for await (const batch of rowsOfSegments(segments())) {
    for (const row of batch) {
      const known = tables.get(row.table.index) ?? { table: row.table, rows: [] };
      tables.set(row.table.index, known);
      known.rows.push(row);
    }
  }
  const wanted = [...tables.values()].filter(({ table }) => sheet === null || table.sheet === sheet);
  return wanted.map(({ rows }) => rows);
}

async function load(connection: MemoryDatabase, name: string, title: string, rows: Rows): Promise<QuestionTable> {
  const scan = new TableScan(
    { headerRows: 'auto', markedRows: null, types: new Map(), language: 'en', hasGrid: false },
    LIMITS,
  );
  for (const row of rows) scan.add(row);
  const plan = scan.finish();
  if (plan === undefined) throw new Error('A file has no table.');
  const reader = new TableReader(plan);
  const typed = rows.flatMap((row) => reader.read(row) ?? []);
  const shape = plan.columns.map((column) => `"${column.name}" ${SQL_TYPES[column.reading.type]}`).join(', ');
  await connection.run(
    `CREATE TABLE ${name} (${shape}, _row BIGINT, _document_id VARCHAR, _sheet VARCHAR, _total BOOLEAN)`,
  );
  const marks = [...plan.columns, 0, 0, 0, 0].map((_, index) => `$${index + 1}`).join(', ');
  for (const { row, values, isTotal } of typed) {
    await connection.run(`INSERT INTO ${name} VALUES (${marks})`, [...values, row, 'd', null, isTotal]);
  }
  const body = typed.filter(({ isTotal }) => !isTotal);
  const columns = plan.columns.map(({ name: column, label, reading: { type, unit } }, index) => {
    const profiler = new ColumnProfiler();
    for (const { values } of body) profiler.add(values[index] ?? null);
    const { distinct, min, max, nulls } = profiler.finish();
    return { name: column, label, type, unit, nullable: nulls > 0, distinct, min, max };
  });
  return { name, title, columns, rowCount: body.length, hasTotals: body.length < typed.length };
}
