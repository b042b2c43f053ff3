import type { LayoutBlock, LayoutCell, Rect } from '@llamaindex/liteparse';
import { countLinesAbove, isTitleAbove } from './lines-above.js';
import { areCounted, mayBeLabel } from '../../sheets/table-signs.js';

/** A table of a page: its cells, and where they lie. */
export interface PageTable {
  readonly rows: readonly (readonly LayoutCell[])[];
  readonly bbox?: Rect;
  /** Lines above it that were taken for rows. */
  readonly lead?: string;
  /** A title above it that was taken for its first row. */
  readonly title?: string;
}

type Rows = PageTable['rows'];

const LEAST_COLUMNS = 2;
/** Rows below a header. */
const LEAST_ROWS = 2;
/** A wider table is one. */
const MOST_COLUMNS = 40;
/** Rows of titles above the headers of both, at most one cell over each. */
const MOST_TITLE_ROWS = 3;
/** Of the rows of a table, those whose first cell names what they are about. */
const LEAST_NAMED_SHARE = 0.8;
/** Points between two tables, and how much more that is than between any two columns of them. */
const LEAST_GAP_POINTS = 20;
const WIDER_GAP = 1.5;
/** The same where nothing but the space tells: tables of as many rows without titles. */
const FAR_GAP_POINTS = 60;
const FAR_GAP = 2;
const AMOUNT = /^[^\p{L}]*\d[^\p{L}]*$/u;

/** The cells of a table block, header and all, of rows that have any. */
export function rowsOf(block: LayoutBlock): Rows {
  return [block.header ?? [], ...(block.rows ?? [])].filter((row) => row.length > 0);
}

/**
 * Parts what is side by side and was read as one table. Each table has a header of words of its own and rows that begin with words or with numbers
 * that count, or both begin with the same label. Between them is an empty column; or they share a label; or the space between them is wider than
 * any other, and each has a title, or one ends before the other; or it is far wider, and both end with amounts. Anything else may be the rows of
 * one table. Lines of text above the header are the lead of the first one, and one in larger type
 * is its title.
 */
export function tablesOf(rows: Rows, bbox?: Rect): PageTable[] {
  if (isTitleAbove(rows)) {
    const [first, ...others] = tablesOf(rows.slice(1), boxOf(rows.slice(1)));
    return [{ ...first!, title: textOf(rows[0]!) }, ...others];
  }
  const above = countLinesAbove(rows);
  if (above > 0) {
    const [first, ...others] = tablesOf(rows.slice(above), boxOf(rows.slice(above)));
    const lead = [...rows.slice(0, above).map(textOf), ...(first?.lead === undefined ? [] : [first.lead])].join(' ');
    return [{ ...first!, lead }, ...others];
  }
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width <= MOST_COLUMNS) {
    for (let at = LEAST_COLUMNS; at <= width - LEAST_COLUMNS; at += 1) {
      const parted = partAt(rows, at, width);
      if (parted === undefined) continue;
      const { lead, left, right } = parted;
      return [{ ...tableOf(left), ...(lead !== '' && { lead }) }, ...tablesOf(right, boxOf(right))];
    }
  }
  return [{ rows, ...(bbox !== undefined && { bbox }) }];
}

interface Parted {
  readonly lead: string;
  readonly left: Rows;
  readonly right: Rows;
}

/** The tables before and from a column on; an empty column there belongs to neither. */
function partAt(rows: Rows, at: number, width: number): Parted | undefined {
  const isParting = rows.every((row) => isEmpty(row[at]));
  const left = rows.map((row) => row.slice(0, at));
  const right = rows.map((row) => row.slice(isParting ? at + 1 : at, width));
  const sides = { left, right, next: toEmptyColumn(right) };
  const first = rows.slice(0, MOST_TITLE_ROWS + 1).findIndex((_row, index) => areTables(sides, index));
  if (first < 0) return undefined;
  const isLead = left.slice(0, first).some((row, index) => filled(row) > 1 || filled(right[index]!) > 1);
  const titled = first > 0 && !isLead;
  const isTwo =
    isParting ||
    textAt(left, first) === textAt(right, first) ||
    (standApart(left.slice(first), right.slice(first)) &&
      (titled || endsBefore(left, right) || endsBefore(right, left))) ||
    (standApart(left.slice(first), right.slice(first), FAR_GAP_POINTS, FAR_GAP) &&
      [left, sides.next].every((side) => endsWithAmounts(side.slice(first + 1))));
  if (!isTwo) return undefined;
  const from = isLead ? first : 0;
  const lead = rows.slice(0, from).map((row) => row.map(({ text }) => text).join(' '));
  return { lead: lead.join(' '), left: filledRows(left.slice(from)), right: filledRows(right.slice(from)) };
}

function areTables({ left, next }: { left: Rows; next: Rows }, first: number): boolean {
  const isAlike = textAt(left, first) === textAt(next, first);
  return isTable(left.slice(first), isAlike) && isTable(next.slice(first), isAlike);
}

/** `beginsAlike`: its first label is that of the table beside it, which no column of values has. */
function isTable([labels = [], ...body]: Rows, beginsAlike: boolean): boolean {
  if (labels.length < LEAST_COLUMNS || !labels.every(({ text }, at) => mayBeLabel(text, at))) return false;
  const rows = body.filter((row) => filled(row) > 0);
  const begun = rows.filter(([cell]) => (beginsAlike ? !isEmpty(cell) : /\p{L}/u.test(cell?.text ?? '')));
  if (rows.length < LEAST_ROWS) return false;
  return begun.length >= rows.length * LEAST_NAMED_SHARE || areCounted(rows.map(([cell]) => cell?.text.trim() ?? ''));
}

/** Whether the last column of some rows holds amounts and nothing else. */
function endsWithAmounts(rows: Rows): boolean {
  const texts = rows.flatMap((row) => (filled(row) === 0 ? [] : [row.at(-1)?.text.trim() ?? '']));
  return texts.length > 0 && texts.every((text) => AMOUNT.test(text));
}

/** The first table of several that are parted by empty columns. */
function toEmptyColumn(rows: Rows): Rows {
  const end = (rows[0] ?? []).findIndex((_cell, column) => rows.every((row) => isEmpty(row[column])));
  return end < 0 ? rows : rows.map((row) => row.slice(0, end));
}

/** Whether the space between both tables is clearly wider than the spaces between the columns of either. */
function standApart(left: Rows, right: Rows, least = LEAST_GAP_POINTS, wider = WIDER_GAP): boolean {
  const [before, behind] = [columnsOf(left), columnsOf(right)];
  const between = (behind[0]?.x0 ?? 0) - (before.at(-1)?.x1 ?? Infinity);
  const widest = Math.max(
    ...[before, behind].flatMap((columns) => columns.slice(1).map(({ x0 }, at) => x0 - columns[at]!.x1)),
  );
  return between >= least && between >= widest * wider;
}

/** How far the texts of each column reach. */
function columnsOf(rows: Rows): { x0: number; x1: number }[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) => {
    const boxes = rows.flatMap((row) => (isEmpty(row[column]) ? [] : (row[column]?.bbox ?? [])));
    return { x0: Math.min(...boxes.map(({ x }) => x)), x1: Math.max(...boxes.map((box) => box.x + box.width)) };
  });
}

/** Whether the last row is one of the other table alone. */
function endsBefore(one: Rows, other: Rows): boolean {
  return filled(one.at(-1)!) === 0 && filled(other.at(-1)!) > 1;
}

/** Rows of one table alone are empty in the other. */
function filledRows(rows: Rows): Rows {
  return rows.filter((row) => filled(row) > 0);
}

function tableOf(rows: Rows): PageTable {
  const bbox = boxOf(rows);
  return { rows, ...(bbox !== undefined && { bbox }) };
}

/** The rectangle around all cells that have one. */
export function boxOf(rows: Rows): Rect | undefined {
  const boxes = rows.flat().flatMap(({ bbox }) => bbox ?? []);
  if (boxes.length === 0) return undefined;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.width)),
    Math.max(...boxes.map((box) => box.y + box.height)),
  ];
  return { x, y, width: right - x, height: bottom - y };
}

const textOf = (row: readonly LayoutCell[]): string =>
  row.flatMap(({ text }) => (text.trim() === '' ? [] : text.trim())).join(' ');
const isEmpty = (cell: LayoutCell | undefined): boolean => (cell?.text ?? '').trim() === '';
const filled = (row: readonly LayoutCell[]): number => row.filter((cell) => !isEmpty(cell)).length;
const textAt = (rows: Rows, row: number): string => rows[row]?.[0]?.text.trim() ?? '';
