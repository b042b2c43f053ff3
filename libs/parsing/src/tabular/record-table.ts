import { BlockWriter } from '../html/block-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { RowWriter } from '../output/row-writer.js';
import { writePlainLines } from '../output/plain-lines.js';

/** A flat record: names and values in their order. */
export type FlatRecord = ReadonlyMap<string, string>;

/** Records held back to learn the columns. */
const HELD_RECORDS = 200;
const MAX_COLUMNS = 60;
/** Records with longer values read better line by line. */
const MAX_CELL_UNITS = 600;
/** Names of a record that is a table of one row. */
const LEAST_ALONE = 2;
/** Filled cells by all cells, below which records have little in common. */
const LEAST_FILL = 0.4;

/**
 * Writes flat records that follow each other: as a table with a header when they have their names in common, else as
 * paragraphs of `name: value` lines. Holds at most `HELD_RECORDS`; a later record with other names gets its extra
 * values as `name: value` cells at the end of its row.
 */
export class RecordTable {
  tables = 0;
  rows = 0;
  private readonly output: ParseOutput;
  private held: { record: FlatRecord; label: string }[] = [];
  private columns: string[] | undefined;
  private writer: RowWriter | undefined;
  private rowNumber = 0;

  constructor(output: ParseOutput) {
    this.output = output;
  }

  /** Takes the next record; `label` is before it when it is written as a paragraph. */
  add(record: FlatRecord, label = ''): void {
    if (record.size === 0) return;
    if (this.writer !== undefined) return this.writeRow(record);
    this.held.push({ record, label });
    if (this.held.length >= HELD_RECORDS) this.decide();
  }

  /** Writes what is held and ends the table; the next record begins another one. `mayBeOne`: a single record is a table too. */
  end(mayBeOne = false): void {
    if (this.held.length > 0) this.decide(mayBeOne);
    this.writer?.end();
    this.writer = undefined;
    this.columns = undefined;
  }

  private decide(mayBeOne = false): void {
    const held = this.held.splice(0);
    const records = held.map(({ record }) => record);
    const isTable = records.length > 1 || (mayBeOne && mayStandAlone(records[0]!));
    const columns = isTable ? columnsOf(records) : undefined;
    if (columns === undefined) {
      for (const { record, label } of held) writeRecord(this.output, record, label);
      return;
    }
    this.tables += 1;
    this.rowNumber = 1;
    this.columns = columns;
    this.writer = new RowWriter(new BlockWriter(this.output));
    this.writer.write(columns, 1);
    for (const { record } of held) this.writeRow(record);
  }

  private writeRow(record: FlatRecord): void {
    const columns = this.columns!;
    const cells = columns.map((name) => record.get(name) ?? '');
    if (record.size > columns.length || [...record.keys()].some((name) => !columns.includes(name))) {
      for (const [name, value] of record) if (!columns.includes(name)) cells.push(`${name}: ${value}`);
    }
    if (!cells.some((cell) => /\S/.test(cell))) return;
    this.rowNumber += 1;
    this.rows += 1;
    this.writer!.write(cells, this.rowNumber);
  }
}

/** Whether one record is a table of one row: it has two names or more, with values that cells hold. */
export function mayStandAlone(record: FlatRecord): boolean {
  return record.size >= LEAST_ALONE && columnsOf([record]) !== undefined;
}

/** The common columns in the order of their first appearance; undefined when the records make no table. */
function columnsOf(records: readonly FlatRecord[]): string[] | undefined {
  const columns = new Set<string>();
  let cells = 0;
  for (const record of records) {
    for (const [name, value] of record) {
      if (value.length > MAX_CELL_UNITS) return undefined;
      columns.add(name);
      cells += 1;
    }
  }
  if (columns.size > MAX_COLUMNS || cells < columns.size * records.length * LEAST_FILL) return undefined;
  return [...columns];
}

/** Writes one record as a paragraph of `name: value` lines. */
export function writeRecord(output: ParseOutput, record: FlatRecord, label = ''): void {
  const lines = [...record].map(([name, value]) => `${name}: ${value}`);
  writePlainLines(output, label === '' ? lines : [label, ...lines]);
}
