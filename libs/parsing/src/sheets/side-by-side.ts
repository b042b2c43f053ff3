import { areCounted, mayBeLabel } from './table-signs.js';
import type { HeldRow, SheetCell } from './sheet-cell.js';

/** Rows that tell whether two tables are side by side. */
const LEAST_ROWS = 3;
const LEAST_COLUMNS = 2;
/** A wider sheet is one table. */
const MOST_COLUMNS = 100;
/** Rows of the right table that are held until the left one ends; more stay beside it. */
const MAX_ROWS_BESIDE = 20_000;
/** Rows of titles above the headers of both, at most one cell over each. */
const MOST_TITLE_ROWS = 3;
/** Rows that are looked at to find out. */
export const ROWS_THAT_TELL = 32;
/** Of the rows of a table, those whose first cell names what they are about. */
const LEAST_NAMED_SHARE = 0.8;

/** Parts the rows of two tables that are side by side; the left one is written as it comes, the right one when that has ended. */
export class RowsBeside {
  private gap: number | undefined;
  private rows: HeldRow[] = [];

  /**
   * Takes the first rows of a table, or of two. `isPlain`: no one laid them out for the eye, so that an empty column says little; two tables then
   * have a title, end in different rows, or share a label.
   */
  begin(held: readonly HeldRow[], isPlain = false): void {
    const rows = held
      .map(({ cells }) => cells.filter(({ text }) => /\S/.test(text)))
      .filter(({ length }) => length > 0);
    this.gap = columnBetween(rows, isPlain);
  }

  /** Whether rows are parted at all. */
  get isParting(): boolean {
    return this.gap !== undefined;
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

  /**
   * The rows of the table to the right, once the left one has ended; they may be parted again, so that it is asked for until there are none: three
   * tables side by side are three.
   */
  takeParted(isPlain = false): HeldRow[] {
    const right = this.rows.splice(0);
    this.begin(right.slice(0, ROWS_THAT_TELL), isPlain);
    return right.map(({ row, cells }) => ({ row, cells: this.leftOf(row, cells) }));
  }
}

/**
 * The empty column between two tables that are side by side; undefined where there is one table. Each has a header of words of its own, and rows
 * that begin with words or with numbers that count, or both begin with the same column (`Date | Purpose | Amount | | Date | Payee | Amount`): columns that are only apart,
 * under the rows of one table, begin with values. Titles may be above.
 */
function columnBetween(rows: readonly Cells[], isPlain: boolean): number | undefined {
  const used = new Set(rows.flatMap((cells) => cells.map(({ column }) => column)));
  if (used.size > MOST_COLUMNS) return undefined;
  const columns = [...used].sort((one, other) => one - other);
  for (let at = 1; at < columns.length; at += 1) {
    const gap = columns[at]! - 1;
    if (used.has(gap)) continue;
    const [left, right] = [columns.slice(0, at), columns.slice(at)];
    if (areTables(rows, left, right) && (!isPlain || seemLaidOut(partOf(rows, left), partOf(rows, right)))) return gap;
  }
  return undefined;
}

type Cells = readonly SheetCell[];

function areTables(rows: readonly Cells[], left: readonly number[], right: readonly number[]): boolean {
  const sides = [partOf(rows, left), partOf(rows, right)];
  const first = rows.slice(0, MOST_TITLE_ROWS + 1).findIndex((_row, at) => sides.some((side) => side[at]!.length > 1));
  if (first < 0) return false;
  const [one, other] = sides.map((side) => side.slice(first)) as [Cells[], Cells[]];
  const isAlike = one[0]![0]?.text.trim() === other[0]![0]?.text.trim();
  return isTable(one, left, isAlike) && isTable(other, right, isAlike);
}

/** A row with a title over one or both, a row that only one of them has, or a label of both. */
function seemLaidOut(left: readonly Cells[], right: readonly Cells[]): boolean {
  if (left.some((cells, at) => cells.length === 0 || right[at]!.length === 0 || isTitle(cells, right[at]!)))
    return true;
  const labels = new Set(left[0]!.map(({ text }) => text.trim()));
  return right[0]!.some(({ text }) => labels.has(text.trim()));
}

const isTitle = (left: Cells, right: Cells): boolean => left.length === 1 && right.length === 1;

function partOf(rows: readonly Cells[], columns: readonly number[]): Cells[] {
  const [first, last] = [columns[0]!, columns.at(-1)!];
  return rows.map((cells) => cells.filter(({ column }) => column >= first && column <= last));
}

/** `beginsAlike`: its first label is that of the table beside it, which no column of values has. */
function isTable([labels = [], ...body]: readonly Cells[], columns: readonly number[], beginsAlike: boolean): boolean {
  if (columns.length < LEAST_COLUMNS) return false;
  if (labels.length < columns.length || !labels.every(({ text }, at) => mayBeLabel(text, at))) return false;
  const rows = body.filter((cells) => cells.length > 0);
  const begun = rows.filter(([cell]) => cell!.column === columns[0]! && (beginsAlike || /\p{L}/u.test(cell!.text)));
  if (rows.length < LEAST_ROWS - 1) return false;
  const isCounted =
    rows.every(([cell]) => cell!.column === columns[0]!) && areCounted(rows.map(([cell]) => cell!.text));
  return isCounted || begun.length >= rows.length * LEAST_NAMED_SHARE;
}
