import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { CellValue, ColumnType, TypedRow } from '#libs/tabular';
import { ROW_COLUMNS } from './table-catalogue.port.js';

const ROWS_PER_GROUP = 20_000;
const DAY_MS = 86_400_000;

/** What a column of a type is in the file. */
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

/** Writes the rows of one table as Parquet, some thousand at a time; holds the file in memory. */
export class ParquetRows {
  private readonly output = new ByteWriter(64 * 1024);
  private readonly writer: ParquetWriter;
  private readonly columns: readonly { readonly name: string; readonly type: ColumnType; data: Stored[] }[];
  private rows: { numbers: bigint[]; totals: boolean[] } = { numbers: [], totals: [] };

  constructor(
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    private readonly source: { readonly documentId: string; readonly sheet: string | null },
  ) {
    this.columns = columns.map(({ name, type }) => ({ name, type, data: [] }));
    const own = columns.map(({ name, type }) => ({ name, ...STORED[type], repetition_type: 'OPTIONAL' as const }));
    const schema: SchemaElement[] = [
      { name: 'root', num_children: own.length + 4 },
      ...own,
      { name: ROW_COLUMNS.row, ...STORED.integer, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.document, ...STORED.text, repetition_type: 'REQUIRED' },
      { name: ROW_COLUMNS.sheet, ...STORED.text, repetition_type: 'OPTIONAL' },
      { name: ROW_COLUMNS.total, ...STORED.boolean, repetition_type: 'REQUIRED' },
    ];
    this.writer = new ParquetWriter({ writer: this.output, schema, createdBy: 'knowledge-base-service' });
  }

  add({ row, values, isTotal }: TypedRow): void {
    this.columns.forEach(({ type, data }, index) => data.push(storedValue(values[index] ?? null, type)));
    this.rows.numbers.push(BigInt(row));
    this.rows.totals.push(isTotal);
    if (this.rows.numbers.length >= ROWS_PER_GROUP) this.flush();
  }

  /** The file. */
  finish(): Uint8Array {
    if (this.rows.numbers.length > 0) this.flush();
    void this.writer.finish();
    return this.output.getBytes();
  }

  private flush(): void {
    const { numbers, totals } = this.rows;
    const own = this.columns.map(({ name, data }) => ({ name, data }));
    void this.writer.write({
      rowGroupSize: ROWS_PER_GROUP,
      columnData: [
        ...own,
        { name: ROW_COLUMNS.row, data: numbers },
        { name: ROW_COLUMNS.document, data: numbers.map(() => this.source.documentId) },
        { name: ROW_COLUMNS.sheet, data: numbers.map(() => this.source.sheet) },
        { name: ROW_COLUMNS.total, data: totals },
      ],
    });
    for (const column of this.columns) column.data = [];
    this.rows = { numbers: [], totals: [] };
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
