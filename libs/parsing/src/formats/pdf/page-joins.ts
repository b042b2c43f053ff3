import type { LayoutBlock } from '@llamaindex/liteparse';

/** Where a block is: the number of its page, and its place on it from 0. */
export interface BlockPlace {
  readonly page: number;
  readonly place: number;
}

/** The rows of a table as they are written. */
export interface JoinedRows {
  readonly rows: readonly (readonly string[])[];
  /** Number of the first of them. */
  readonly row: number;
  /** They go on with those of the page before. */
  readonly continues: boolean;
}

/** Where a table lies: its block, which may hold a running line too, and the texts of its cells. */
export interface TableEdges {
  readonly bbox?: LayoutBlock['bbox'];
  readonly cells?: LayoutBlock['bbox'];
}

/** A table at the end of a page, as far as the next page must know it. */
interface OpenTable {
  readonly page: number;
  readonly edges: TableEdges;
  /** Text of its first row. */
  readonly first: readonly string[];
  /** Columns whose cells are numbers, below the first row. */
  readonly numeric: readonly boolean[];
  /** Number of the next row. */
  readonly nextRow: number;
}

/** Points by which the edges of one table may differ from page to page: columns are as wide as their words. */
const EDGE_POINTS = 12;
/** Blocks above a table that goes on: a running head and a page number. */
const MOST_BLOCKS_ABOVE = 3;
/** Blocks below it on its page: a note and a foot. */
const MOST_BLOCKS_BELOW = 2;
const NUMBER = /^[(+-]?\s?(?:[€$£¥]|[A-Z]{3})?\s?-?\d[\d.,'\u2019\s]*[)%-]?\s?(?:[€$£¥%]|[A-Z]{3})?-?$/;
const LEAST_NUMERIC_SHARE = 0.8;
const MAX_HEAD_UNITS = 200;

/**
 * Joins tables that are spread over pages. Rows go on with those of the page before when there are as many columns between the same edges,
 * near the top, and the first row is the header once more or has numbers wherever the table has. Without any numbers nothing tells a header
 * from a row, and the tables stay apart.
 */
export class PageTables {
  private open: OpenTable | undefined;
  private behind = 0;

  /** Takes the next table of the document. A header that is repeated is left out. */
  join(rows: readonly (readonly string[])[], { bbox, cells }: TableEdges, { page, place }: BlockPlace): JoinedRows {
    const { open } = this;
    const isNear = open?.page === page - 1 && place <= MOST_BLOCKS_ABOVE && this.behind <= MOST_BLOCKS_BELOW;
    const before = isNear && goesOn(open, rows, { bbox, cells }) ? open : undefined;
    const body = before !== undefined && repeatsFirst(before, rows[0]!) ? rows.slice(1) : rows;
    const row = before?.nextRow ?? 1;
    this.behind = 0;
    this.open = undefined;
    if (bbox !== undefined && rows.length > 0) {
      const { first, numeric } = before ?? { first: rows[0]!, numeric: numericColumns(rows) };
      this.open = { page, edges: { bbox, cells }, first, numeric, nextRow: row + body.length };
    }
    return { rows: body, row, continues: before !== undefined };
  }

  /** Takes a block of another kind. */
  pass({ page }: BlockPlace): void {
    if (this.open?.page === page) this.behind += 1;
  }
}

function goesOn(open: OpenTable, rows: readonly (readonly string[])[], edges: TableEdges): boolean {
  const [first] = rows;
  if (first === undefined || first.length !== open.first.length) return false;
  const isBetween = areAlike(open.edges.bbox, edges.bbox) || areAlike(open.edges.cells, edges.cells);
  return isBetween && (repeatsFirst(open, first) || isRowOf(open, first));
}

/** Whether two rectangles have the same left and right edge. */
function areAlike(one: LayoutBlock['bbox'], other: LayoutBlock['bbox']): boolean {
  if (one === undefined || other === undefined) return false;
  const right = Math.abs(other.x + other.width - one.x - one.width);
  return Math.abs(other.x - one.x) <= EDGE_POINTS && right <= EDGE_POINTS;
}

function repeatsFirst({ first }: OpenTable, row: readonly string[]): boolean {
  return row.every((cell, column) => cell === first[column]);
}

function isRowOf({ numeric }: OpenTable, row: readonly string[]): boolean {
  const cells = row.filter((_, column) => numeric[column] === true);
  return cells.some(isNumber) && cells.every((cell) => cell === '' || isNumber(cell));
}

/** Columns of numbers, by the rows below the first. */
function numericColumns(rows: readonly (readonly string[])[]): boolean[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.slice(1).flatMap((row) => (row[column] ? [row[column]] : []));
    return cells.length > 0 && cells.filter(isNumber).length >= cells.length * LEAST_NUMERIC_SHARE;
  });
}

function isNumber(cell: string): boolean {
  return cell.length <= 40 && NUMBER.test(cell.trim());
}

/** Finds lines that are at the top of page after page: no headings, whatever their type looks like. */
export class RunningHeads {
  private before: ReadonlySet<string> = new Set();
  private earlier: ReadonlySet<string> = new Set();
  private current = new Set<string>();

  /** Call at the begin of each page. */
  nextPage(): void {
    this.earlier = this.before;
    this.before = this.current;
    this.current = new Set();
  }

  /** Whether the text of one of the first blocks of a page stood at the top of one of the two pages before; left and right pages differ. */
  isRunning(text: string, place: number): boolean {
    if (place >= MOST_BLOCKS_ABOVE || text.length > MAX_HEAD_UNITS) return false;
    const words = text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
    this.current.add(words);
    return this.before.has(words) || this.earlier.has(words);
  }
}
