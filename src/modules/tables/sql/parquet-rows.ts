import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { CellValue, ColumnType, TypedRow } from '#libs/tabular';
import { ROW_COLUMNS } from '../catalogue/table-catalogue.port.js';

const ROWS_PER_GROUP = 20_000;
const DAY_MS = 86_400_000;

/** Parquet type of a column. */
const STORED = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
  },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<ColumnType, Omit<SchemaElement, 'name'>>;

type Stored = string | number | bigint | boolean | null;

/** A row with the place of its line in the canonical text. */
export type PlacedRow = TypedRow & { readonly start: number; readonly end: number };

/** Writes the rows of one table as Parquet, in groups of some thousand rows; holds the file in memory. */
export class ParquetRows {
  private readonly output = new ByteWriter(64 * 1024);
  private readonly writer: ParquetWriter;
  private readonly columns: readonly { readonly name: string; readonly type: ColumnType; data: Stored[] }[];
  private rows: PlacedRow[] = [];

  constructor(
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    private readonly source: { readonly documentId: string; readonly sheet: string | null },
  ) {
    this.columns = columns.map(({ name, type }) => ({ name, type, data: [] }));
    const own = columns.map(({ name, type }) => ({ name, ...STORED[type], repetition_type: 'OPTIONAL' as const }));
    const schema: SchemaElement[] = [
      { name: 'root', num_children: own.length + Object.keys(ROW_COLUMNS).length },
      ...own,
      { name: ROW_COLUMNS.row, ...STORED.integer, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.document, ...STORED.text, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.sheet, ...STORED.text, repetition_type: 'OPTIONAL' },
      { name: ROW_COLUMNS.total, ...STORED.boolean, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.textStart, ...STORED.integer, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.textEnd, ...STORED.integer, repetition_type: 'REQUIRED' },
    ];
    this.writer = new ParquetWriter({ writer: this.output, schema, createdBy: 'knowledge-base-service' });
  }

  add(row: PlacedRow): void {
    this.columns.forEach(({ type, data }, index) => data.push(storedValue(row.values[index] ?? null, type)));
    this.rows.push({ ...row, values: [] });
    if (this.rows.length >= ROWS_PER_GROUP) this.flush();
  }

  /** The file. */
  finish(): Uint8Array {
    if (this.rows.length > 0) this.flush();
    void this.writer.finish();
    return this.output.getBytes();
  }

  private flush(): void {
    const { rows } = this;
    const own = this.columns.map(({ name, data }) => ({ name, data }));
    void this.writer.write({
      rowGroupSize: ROWS_PER_GROUP,
      columnData: [
        ...own,
        { name: ROW_COLUMNS.row, data: rows.map(({ row }) => BigInt(row)) },
        { name: ROW_COLUMNS.document, data: rows.map(() => this.source.documentId) },
        { name: ROW_COLUMNS.sheet, data: rows.map(() => this.source.sheet) },
        { name: ROW_COLUMNS.total, data: rows.map(({ isTotal }) => isTotal) },
        { name: ROW_COLUMNS.textStart, data: rows.map(({ start }) => BigInt(start)) },
        { name: ROW_COLUMNS.textEnd, data: rows.map(({ end }) => BigInt(end)) },
      ],
    });
    for (const column of this.columns) column.data = [];
    this.rows = [];
  }
}

function storedValue(value: CellValue, type: ColumnType): Stored {
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return BigInt(value);
    case 'date':
      return Math.floor(Date.parse(`${String(value)}T00:00:00.000Z`) / DAY_MS);
    case 'datetime':
      return BigInt(Date.parse(`${String(value)}Z`));
    default:
      return value;
  }
}
