import {
  attribute,
  findElement,
  headingLevel,
  isBlockLevel,
  isDrawnLabel,
  isElement,
  isHidden,
  isSkipped,
  taskMark,
  textOf,
  visit,
  type HtmlElement,
} from './html-elements.js';
import { linkAddress } from './html-links.js';

/** A table as text: rows of cells. A cell that spans rows or columns is repeated, so that each row can be read alone. */
export interface HtmlTable {
  rows: string[][];
  /**
   * First rows that the table marks as its header: those of `thead`, and those of nothing but `th`. 0: no row is one, since each begins with the
   * name of what is beside it. Undefined: the table says nothing.
   */
  headerRows: number | undefined;
}

/** A cell as it is written. */
interface ReadCell {
  readonly text: string;
  /** What is in the other columns and rows that it covers. */
  readonly repeated: string;
  /** Rows that it reaches below its own. */
  readonly down: number;
  readonly across: number;
}

/** A cell in a row of the grid. */
interface PlacedCell {
  readonly text: string;
  readonly repeated: string;
  readonly column: number;
  readonly across: number;
  /** It begins here: it is not from above. */
  readonly isOwn: boolean;
}

type Hanging = Map<number, { readonly text: string; rows: number }>;

/** Columns; as many rows as there are in its section, as in browsers. */
const MAX_SPAN = 100;
/** More rows of header cells are a table of headings. */
const MAX_HEADER_ROWS = 5;
/** Longer cells are not repeated over what they span. */
const MAX_REPEATED_UNITS = 200;
/** What cells may be repeated in all, by what is written: tables of a few bytes would fill the memory otherwise. */
const REPEATS_BY_WRITTEN = 20;
const LEAST_REPEATED = 20_000;
const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
/** Cells of a grid that holds headings or tables. */
const MAX_GRID_CELL_UNITS = 100;
/** Rows and columns of a grid that may have empty cells, and how many cells there are for each of them. */
const LEAST_WITH_EMPTY = 3;
const EMPTY_OF_GRID = 3;
/** What a cell of such a grid does not hold besides. */
const ARRANGED = new Set(['img', 'form', 'input', 'select', 'textarea', 'button', 'ul', 'ol', 'dl', 'pre', 'hr']);

/** What is left of the cells and units that a table may repeat. */
class RepeatBudget {
  private left = LEAST_REPEATED;

  constructor(rows: readonly { readonly cells: readonly ReadCell[] }[]) {
    for (const { cells } of rows) {
      for (const { text } of cells) this.left += (1 + text.length) * REPEATS_BY_WRITTEN;
    }
  }

  /** Takes a cell from it; false when it is spent. */
  spend(text: string): boolean {
    this.left -= 1 + text.length;
    return this.left >= 0;
  }
}

/**
 * Whether a table only arranges the page: it has one column, or it holds another table or headings and is no regular grid of short
 * cells besides.
 */
export function isLayoutTable(table: HtmlElement): boolean {
  const role = attribute(table, 'role');
  if (role === 'presentation' || role === 'none') return true;
  const holdsStructure = findElement(
    table,
    (element) => element !== table && (element.tagName === 'table' || headingLevel(element) !== undefined),
  );
  if (holdsStructure !== undefined) return !isGrid(table);
  return rowsOf(table).every((row) => cellsOf(row).length <= 1);
}

/** Whether a cell of a table holds another table. */
export function holdsTable(table: HtmlElement): boolean {
  return findElement(table, (element) => element !== table && element.tagName === 'table') !== undefined;
}

/**
 * Two or more rows of as many columns, most of them short words and nothing else. A heading may be the words of a cell at the top or
 * the left; fewer than half of the cells hold tables. Of three rows and columns or more, one cell in three may be empty.
 */
function isGrid(table: HtmlElement): boolean {
  const rows = rowsOf(table).map(cellsOf);
  const width = equalWidth(rows);
  if (rows.length < 2 || width < 2) return false;
  let holding = 0;
  let empty = 0;
  for (const [at, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (holdsTable(cell)) holding += 1;
      else if (isEmptyCell(cell)) empty += 1;
      else if (!isShortCell(cell, at === 0 || column === 0)) return false;
    }
  }
  const mayBeEmpty = rows.length >= LEAST_WITH_EMPTY && width >= LEAST_WITH_EMPTY ? rows.length * width : 0;
  return holding * 2 < rows.length * width && empty * EMPTY_OF_GRID <= mayBeEmpty;
}

/** Columns of rows that all have as many, those counted that cells from above reach into; else 0. */
function equalWidth(rows: readonly (readonly HtmlElement[])[]): number {
  let width = 0;
  /** Columns that are taken in each of the following rows. */
  const taken: number[] = [];
  for (const [at, cells] of rows.entries()) {
    let own = taken[at] ?? 0;
    for (const cell of cells) {
      const across = Math.min(span(cell, 'colspan') || 1, MAX_SPAN);
      const last = Math.min(at + rowsBelow(cell), rows.length - 1, at + MAX_SPAN);
      for (let below = at + 1; below <= last; below += 1) taken[below] = (taken[below] ?? 0) + across;
      own += across;
    }
    if (at > 0 && own !== width) return 0;
    width = own;
  }
  return width;
}

function isEmptyCell(cell: HtmlElement): boolean {
  return cellText(cell) === '' && findElement(cell, ({ tagName }) => ARRANGED.has(tagName)) === undefined;
}

function isShortCell(cell: HtmlElement, mayBeHeading: boolean): boolean {
  const text = cellText(cell);
  if (text === '' || text.length > MAX_GRID_CELL_UNITS) return false;
  if (findElement(cell, ({ tagName }) => ARRANGED.has(tagName)) !== undefined) return false;
  const heading = findElement(cell, (element) => headingLevel(element) !== undefined);
  return heading === undefined || (mayBeHeading && cellText(heading) === text);
}

/** Reads the cells of a data table. Rows without any text are left out, and columns that no cell begins in: `colspan=99` means all there are. */
export function readTable(table: HtmlElement): HtmlTable {
  const read = rowsOf(table).map((row) => ({ row, cells: cellsOf(row).map(readCell) }));
  const budget = new RepeatBudget(read);
  const rows: PlacedCell[][] = [];
  let headerRows = 0;
  let named = 0;
  let titles = 0;
  /** Columns that a cell begins in. */
  const begun = new Set<number>();
  let section: HtmlElement['parentNode'] = null;
  /** Per column: a cell from above that still reaches down, and for how many rows; never into another section. */
  const hanging: Hanging = new Map();
  for (const { row, cells } of read) {
    if (row.parentNode !== section) hanging.clear();
    section = row.parentNode;
    const placed = placeRow(cells, hanging, budget);
    for (const { column, isOwn } of placed) if (isOwn) begun.add(column);
    if (!placed.some(({ text }) => text !== '')) continue;
    if (headerRows === rows.length && isMarkedHeader(row)) headerRows += 1;
    if (isNamedRow(row)) named += 1;
    else if (cells.length === 1 && cells[0]!.across > 1) titles += 1;
    rows.push(placed);
  }
  const kept = rows.map((placed) => textsOf(placed, begun, budget));
  if (named > 0 && named + titles === rows.length) return { rows: kept, headerRows: 0 };
  const isMarked = headerRows > 0 && headerRows < rows.length && headerRows <= MAX_HEADER_ROWS;
  return { rows: kept, headerRows: isMarked ? headerRows : undefined };
}

/** A row of values that begins with the name of what they are. */
function isNamedRow(row: HtmlElement): boolean {
  const [first, ...others] = cellsOf(row);
  return first?.tagName === 'th' && others.length > 0 && others.every(({ tagName }) => tagName === 'td');
}

function isMarkedHeader(row: HtmlElement): boolean {
  const isInHead = row.parentNode !== null && 'tagName' in row.parentNode && row.parentNode.tagName === 'thead';
  return isInHead || cellsOf(row).every(({ tagName }) => tagName === 'th');
}

function readCell(cell: HtmlElement): ReadCell {
  const text = cellText(cell, true);
  const repeated = text.length <= MAX_REPEATED_UNITS ? text : '';
  return { text, repeated, down: rowsBelow(cell), across: Math.min(span(cell, 'colspan') || 1, MAX_SPAN) };
}

/** The cells of a row, and those from above that reach into it. When the budget is spent, no cell reaches down any more. */
function placeRow(cells: readonly ReadCell[], hanging: Hanging, budget: RepeatBudget): PlacedCell[] {
  const placed: PlacedCell[] = [];
  let column = 0;
  const takeHanging = (): void => {
    for (let above = hanging.get(column); above !== undefined; above = hanging.get(column)) {
      if (!budget.spend(above.text)) {
        hanging.clear();
        return;
      }
      above.rows -= 1;
      if (above.rows === 0) hanging.delete(column);
      placed.push({ text: above.text, repeated: above.text, column, across: 1, isOwn: false });
      column += 1;
    }
  };
  for (const { text, repeated, down, across } of cells) {
    takeHanging();
    placed.push({ text, repeated, column, across, isOwn: true });
    for (const end = column + across; column < end; column += 1) {
      if (down > 0 && budget.spend('')) hanging.set(column, { text: repeated, rows: down });
    }
  }
  takeHanging();
  return placed;
}

/** The texts of a row in the columns that a cell of the table begins in. */
function textsOf(placed: readonly PlacedCell[], begun: ReadonlySet<number>, budget: RepeatBudget): string[] {
  const texts: string[] = [];
  for (const { text, repeated, column, across } of placed) {
    for (let at = column; at < column + across; at += 1) {
      if (!begun.has(at)) continue;
      if (at === column) texts.push(text);
      else texts.push(budget.spend(repeated) ? repeated : '');
    }
  }
  return texts;
}

/** Rows that a cell reaches below its own; a `rowspan` of 0 means the rest of the section. */
function rowsBelow(cell: HtmlElement): number {
  const rows = span(cell, 'rowspan');
  return rows === 0 ? Infinity : rows - 1;
}

/** 1 where the attribute is no whole number, or a negative one. */
function span(cell: HtmlElement, name: 'rowspan' | 'colspan'): number {
  const value = Number.parseInt(attribute(cell, name) ?? '1', 10);
  return value >= 0 ? value : 1;
}

/** The rows as they are drawn: the first `thead` above all, the first `tfoot` below all, wherever they are written. */
function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = [];
  visit(table, (node) => {
    if (!isElement(node) || isHidden(node)) return false;
    if (node.tagName === 'tr') rows.push(node);
    return node === table || SECTIONS.has(node.tagName);
  });
  const first = (name: string): HtmlElement | undefined =>
    table.childNodes.find((node): node is HtmlElement => isElement(node) && node.tagName === name && !isHidden(node));
  const [head, foot] = [first('thead'), first('tfoot')];
  const placeOf = ({ parentNode }: HtmlElement): number => (parentNode === head ? 0 : parentNode === foot ? 2 : 1);
  return head === undefined && foot === undefined ? rows : rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  return row.childNodes.filter(
    (node): node is HtmlElement => isElement(node) && /^t[dh]$/.test(node.tagName) && !isHidden(node),
  );
}

/** Visible text of an element on one line, without that of tables in it; with the addresses of its links, if asked for. */
export function cellText(cell: HtmlElement, withAddresses = false): string {
  const parts: string[] = [];
  visit(cell, (node) => {
    parts.push(textOf(node) ?? '');
    if (!isElement(node)) return false;
    const address = withAddresses && node.tagName === 'a' ? linkAddress(node) : undefined;
    if (address !== undefined) {
      parts.push(cellText(node), ` (${address})`);
      return false;
    }
    if (node.tagName === 'table' && node !== cell) {
      parts.push(' ');
      return false;
    }
    if (!isHidden(node)) parts.push(taskMark(node) ?? '');
    if (node.tagName === 'img') parts.push(` ${attribute(node, 'alt') ?? ''} `);
    if (isBlockLevel(node) || isDrawnLabel(node) || node.tagName === 'br') parts.push(' ');
    return !isSkipped(node);
  });
  return parts.join('').replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
}
