import type { HeldRow, SheetCell } from './sheet-cell.js';

/** Rows that tell whether two tables stand side by side. */
const LEAST_ROWS = 3;
const LEAST_COLUMNS = 2;
/** A wider sheet is one table. */
const MOST_COLUMNS = 100;
/** Rows of the right table that are held until the left one ends; more stay beside it. */
const MAX_ROWS_BESIDE = 20_000;
/** Of the rows of a table, those whose first cell names what they are about. */
const LEAST_NAMED_SHARE = 0.8;

/** Parts the rows of two tables that stand side by side; the left one is written as it comes, the right one when that has ended. */
export class RowsBeside {
  private gap: number | undefined;
  private rows: HeldRow[] = [];

  /** Takes the first rows of a table, or of two. */
  begin(held: readonly HeldRow[]): void {
    this.gap = columnBetween(held.map(({ cells }) => cells).filter(({ length }) => length > 0));
  }

  /** The left part of a row; the right one is held. */
  leftOf(row: number, cells: readonly SheetCell[]): readonly SheetCell[] {
    const { gap } = this;
    if (gap === undefined || this.rows.length >= MAX_ROWS_BESIDE) return cells;
    const right = cells.filter(({ column }) => column > gap);
    if (right.length === 0) return cells;
    this.rows.push({ row, cells: right });
    return cells.filter(({ column }) => column < gap);
  }

  /** The rows of the right table, once the left one has ended. */
  take(): HeldRow[] {
    this.gap = undefined;
    return this.rows.splice(0);
  }
}

/**
 * The empty column between two tables that stand side by side; undefined where there is one table. Each has a header of words of its own, and rows
 * that begin with words: columns that only stand apart, under the rows of one table, begin with values.
 */
function columnBetween(rows: readonly (readonly SheetCell[])[]): number | undefined {
  if (rows.length < LEAST_ROWS) return undefined;
  const used = new Set(rows.flatMap((cells) => cells.map(({ column }) => column)));
  if (used.size > MOST_COLUMNS) return undefined;
  const columns = [...used].sort((one, other) => one - other);
  for (let at = 1; at < columns.length; at += 1) {
    const gap = columns[at]! - 1;
    if (used.has(gap)) continue;
    const [left, right] = [columns.slice(0, at), columns.slice(at)];
    if (isTable(rows, left) && isTable(rows, right)) return gap;
  }
  return undefined;
}

function isTable([header = [], ...body]: readonly (readonly SheetCell[])[], columns: readonly number[]): boolean {
  if (columns.length < LEAST_COLUMNS) return false;
  const [first, last] = [columns[0]!, columns.at(-1)!];
  const isIn = ({ column }: SheetCell): boolean => column >= first && column <= last;
  const labels = header.filter(isIn);
  if (labels.length < columns.length || !labels.every(({ text }) => /\p{L}/u.test(text))) return false;
  const rows = body.map((cells) => cells.filter(isIn)).filter((cells) => cells.length > 0);
  const named = rows.filter(([cell]) => cell!.column === first && /\p{L}/u.test(cell!.text));
  return rows.length >= LEAST_ROWS - 1 && named.length >= rows.length * LEAST_NAMED_SHARE;
}
