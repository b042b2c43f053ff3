import type { ColumnType } from './column-type.js';

/** A row as a document has it; `row` is its number in the source, from 1. */
export interface RawRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** What is to be read of a table. */
export interface TableLimits {
  readonly maxColumns: number;
  readonly maxRows: number;
  readonly maxCells: number;
}

/** What someone has laid down about tables. */
export interface TableRules {
  readonly headerRows: number | 'auto';
  /**
   * Number of leading rows that the file marks as header: 0 when it marks that there is none, null when it marks nothing. Used when `headerRows` is
   * `auto`.
   */
  readonly markedRows: number | null;
  /** Types by the header or the name of a column; letters of either case. */
  readonly types: ReadonlyMap<string, ColumnType>;
  /** Language of the document, as `de`; null: unknown. */
  readonly language: string | null;
  /** The source has a grid: what a row lacks at its end is empty there, not lost. */
  readonly hasGrid: boolean;
}

export const REPAIR_CODES = [
  'title_rows',
  'header_joined',
  'header_missing',
  'header_repeated',
  'header_duplicated',
  'short_rows',
  'long_rows',
  'section_rows',
  'note_rows',
  'empty_columns',
  'date_order_guessed',
  'day_missing',
  'unreadable_values',
  'unit_missing',
  'units_mixed',
  'columns_left_out',
  'rows_left_out',
] as const;
export type RepairCode = (typeof REPAIR_CODES)[number];

/** What was done to make a table of what the document has. */
export interface Repair {
  readonly code: RepairCode;
  /** Name of the column; null: the table as a whole. */
  readonly column: string | null;
  /** Rows, columns or values that it was done to. */
  readonly count: number;
  /** Numbers of the first such rows in the source. */
  readonly rows: readonly number[];
}

const ROWS_NAMED = 5;

/** Counts repairs as they are made. */
export class Repairs {
  private readonly kept = new Map<string, { code: RepairCode; column: string | null; count: number; rows: number[] }>();

  note(code: RepairCode, at: { readonly column?: string; readonly row?: number; readonly count?: number } = {}): void {
    const { column = null, row, count = 1 } = at;
    const key = `${code}\n${column ?? ''}`;
    const repair = this.kept.get(key) ?? { code, column, count: 0, rows: [] };
    repair.count += count;
    if (row !== undefined && repair.rows.length < ROWS_NAMED) repair.rows.push(row);
    this.kept.set(key, repair);
  }

  list(): Repair[] {
    return [...this.kept.values()];
  }
}
