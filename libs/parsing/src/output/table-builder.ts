import type { BlockShape } from '../html/block-writer.js';
import { ParseError } from '../parse-error.js';

/** A paragraph on its way to the output. */
export interface FlowParagraph {
  shape: BlockShape;
  text: string;
  marker: string;
}

/** How a cell lies in the grid. */
export interface CellSpan {
  /** Columns that the cell covers and that no other cell of the row represents; default 1. */
  across?: number;
  /** The cell goes on from its neighbour and shows the same text. */
  repeats?: 'left' | 'above';
}

/** Rows of plain cells. */
export type FlowTable = readonly (readonly string[])[];

/** Receives what the builder has decided about. */
export interface TableSink {
  writeParagraph(paragraph: FlowParagraph): void;
  /** Begins a data table; `row` counts from 1 without gaps. */
  beginRows(): void;
  writeRow(cells: readonly string[], row: number): void;
  endRows(): void;
}

interface Cell extends CellSpan {
  content: (FlowParagraph | Table)[];
}

interface Table {
  rows: Cell[][];
  row?: Cell[];
  cell?: Cell;
  holdsStructure: boolean;
  isWide: boolean;
  /** Set when rows were passed on before the table's end. */
  decision?: 'data' | 'layout';
  /** Of a grid: tables of its cells, which are written behind it. */
  inner?: Table[];
  /** Texts of the row before, by column. */
  above: string[];
  rowsWritten: number;
  /** By column, as far as the first rows reach: whether a cell begins in it. */
  begun: readonly boolean[];
}

/** This many rows are held to decide what a table is. */
const ROWS_BEFORE_DECISION = 200;
const MAX_SPAN = 100;
/** Longer cells are not repeated over what they span. */
const MAX_REPEATED_UNITS = 200;
const MAX_TABLE_DEPTH = 64;
/** Cells of a grid that holds headings or tables. */
const MAX_GRID_CELL_UNITS = 100;
/** Rows and columns of a grid that may have empty cells, and how many cells there are for each of them. */
const LEAST_WITH_EMPTY = 3;
const EMPTY_OF_GRID = 3;

/** Collects tables, also nested ones, and tells data from layout. Holds at most `ROWS_BEFORE_DECISION` rows of the outer one. */
export class TableBuilder {
  private readonly sink: TableSink;
  private readonly open: Table[] = [];

  constructor(sink: TableSink) {
    this.sink = sink;
  }

  get depth(): number {
    return this.open.length;
  }

  /** Puts a paragraph into the open cell; false when there is none. */
  take(paragraph: FlowParagraph): boolean {
    const table = this.open.at(-1);
    if (table === undefined) return false;
    if (table.cell === undefined) this.openCell({});
    table.cell!.content.push(paragraph);
    if (paragraph.shape.kind === 'heading') table.holdsStructure = true;
    return true;
  }

  openTable(): void {
    if (this.open.length >= MAX_TABLE_DEPTH) {
      throw new ParseError('MALFORMED', 'The document nests tables too deeply; simplify it and upload it again.');
    }
    const outer = this.open.at(-1);
    if (outer !== undefined) outer.holdsStructure = true;
    this.open.push({ rows: [], holdsStructure: false, isWide: false, above: [], rowsWritten: 0, begun: [] });
  }

  openRow(): void {
    const table = this.open.at(-1);
    if (table === undefined) return;
    if (table.row !== undefined) this.closeRow();
    table.row = [];
  }

  openCell(span: CellSpan): void {
    const table = this.open.at(-1);
    if (table === undefined) return;
    if (table.row === undefined) this.openRow();
    table.cell = { ...span, content: [] };
    table.row!.push(table.cell);
    if (table.row!.length > 1 && span.repeats !== 'left') table.isWide = true;
  }

  closeCell(): void {
    const table = this.open.at(-1);
    if (table !== undefined) table.cell = undefined;
  }

  closeRow(): void {
    const table = this.open.at(-1);
    if (table?.row === undefined) return;
    table.rows.push(table.row);
    table.row = undefined;
    table.cell = undefined;
    if (this.open.length === 1 && table.rows.length >= ROWS_BEFORE_DECISION) this.passOn(table);
  }

  closeTable(): void {
    const table = this.open.at(-1);
    if (table === undefined) return;
    this.closeRow();
    this.open.pop();
    const outer = this.open.at(-1);
    if (outer === undefined) {
      this.writeTable(table);
      return;
    }
    if (outer.cell === undefined) this.openCell({});
    outer.cell!.content.push(table);
  }

  /** Writes what is left of a table, and behind it what its cells hold. */
  private writeTable(table: Table): void {
    this.passOn(table);
    if (table.decision === 'data') this.sink.endRows();
    for (const inner of table.inner ?? []) this.writeTable(inner);
  }

  /** Writes the held rows of a table. */
  private passOn(table: Table): void {
    if (table.decision === undefined) {
      if (table.holdsStructure && isGrid(table.rows)) table.inner = [];
      const isData = table.isWide && (!table.holdsStructure || table.inner !== undefined);
      table.decision = isData ? 'data' : 'layout';
      if (table.decision === 'data') {
        table.begun = columnsBegun(table.rows);
        this.sink.beginRows();
      }
    }
    for (const row of table.rows.splice(0)) {
      if (table.decision === 'data') this.writeRow(table, row);
      else for (const cell of row) this.writeContent(cell);
    }
  }

  private writeRow(table: Table, row: readonly Cell[]): void {
    if (table.inner !== undefined) for (const cell of row) takeTables(cell, table.inner);
    const all = rowTexts(row, table.above);
    table.above = all;
    // Columns that no cell begins in are none: `gridSpan` says how many columns of the grid there are, used or not.
    const texts = table.begun.includes(false) ? begunTexts(row, all, table.begun) : all;
    if (!texts.some((text) => /\S/.test(text))) return;
    table.rowsWritten += 1;
    this.sink.writeRow(texts, table.rowsWritten);
  }

  /** The content of a cell that only arranges the page. */
  private writeContent(cell: Cell): void {
    for (const item of cell.content) {
      if (!('rows' in item)) {
        this.sink.writeParagraph(item);
        continue;
      }
      this.writeTable(item);
    }
  }
}

/**
 * Two or more rows of as many columns, most of them short words and nothing else: as in pages. A heading may be the words of a cell at
 * the top or the left; fewer than half of the cells hold tables. Of three rows and columns or more, one cell in three may be empty.
 */
function isGrid(rows: readonly (readonly Cell[])[]): boolean {
  const width = rows[0] === undefined ? 0 : widthOf(rows[0]);
  if (rows.length < 2 || width < 2 || rows.some((cells) => widthOf(cells) !== width)) return false;
  let holding = 0;
  let empty = 0;
  for (const [at, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell.content.some((item) => 'rows' in item)) holding += 1;
      else if (cell.repeats === undefined && cellText(cell) === '') empty += spanOf(cell);
      else if (cell.repeats === undefined && !isShortCell(cell, at === 0 || column === 0)) return false;
    }
  }
  const mayBeEmpty = rows.length >= LEAST_WITH_EMPTY && width >= LEAST_WITH_EMPTY ? rows.length * width : 0;
  return holding * 2 < rows.length * width && empty * EMPTY_OF_GRID <= mayBeEmpty;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((width, cell) => width + spanOf(cell), 0);
}

function isShortCell(cell: Cell, mayBeHeading: boolean): boolean {
  const filled = cell.content.filter((item): item is FlowParagraph => !('rows' in item) && item.text !== '');
  const text = cellText(cell);
  if (text === '' || text.length > MAX_GRID_CELL_UNITS || filled.some(({ marker }) => marker !== '')) return false;
  return filled.every(({ shape }) => shape.kind !== 'heading' || (mayBeHeading && filled.length === 1));
}

/** Moves the tables of a cell, so that they are not in its text. */
function takeTables(cell: Cell, into: Table[]): void {
  cell.content = cell.content.filter((item) => {
    if ('rows' in item) into.push(item);
    return !('rows' in item);
  });
}

function columnsBegun(rows: readonly (readonly Cell[])[]): boolean[] {
  const begun: boolean[] = [];
  for (const row of rows) {
    let column = 0;
    for (const cell of row) {
      if (cell.repeats !== 'left' || cellText(cell) !== '') begun[column] = true;
      for (const end = column + spanOf(cell); column < end; column += 1) begun[column] ??= false;
    }
  }
  return begun;
}

/** The texts of a row in the columns that a cell begins in. One that begins elsewhere, as the first rows have none, goes to that before it. */
function begunTexts(row: readonly Cell[], all: readonly string[], begun: readonly boolean[]): string[] {
  const own = new Set<number>();
  let column = 0;
  for (const cell of row) {
    if (cellText(cell) !== '') own.add(column);
    column += spanOf(cell);
  }
  const texts: string[] = [];
  for (const [at, text] of all.entries()) {
    if (begun[at] ?? true) texts.push(text);
    else if (own.has(at)) texts.push([texts.pop() ?? '', text].filter((part) => part !== '').join(' '));
  }
  return texts;
}

function spanOf({ across }: Cell): number {
  return Math.min(Math.max(across ?? 1, 1), MAX_SPAN);
}

function rowTexts(row: readonly Cell[], above: readonly string[]): string[] {
  const texts: string[] = [];
  for (const cell of row) {
    const own = cellText(cell);
    const neighbour =
      cell.repeats === 'left' ? texts.at(-1) : cell.repeats === 'above' ? above[texts.length] : undefined;
    const text = own === '' && neighbour !== undefined ? repeatable(neighbour) : own;
    const across = spanOf(cell);
    for (let column = 0; column < across; column += 1) texts.push(column === 0 ? text : repeatable(text));
  }
  return texts;
}

function repeatable(text: string): string {
  return text.length <= MAX_REPEATED_UNITS ? text : '';
}

/** The text of a cell on one line; tables inside are read row by row, a lone item needs no bullet. */
function cellText(cell: Cell): string {
  const isLone = cell.content.length === 1;
  return cell.content
    .map((item) =>
      'rows' in item
        ? item.rows.map((row) => row.map(cellText).join(' ')).join(' ')
        : `${isLone && item.marker === '- ' ? '' : item.marker}${item.text}`.replace(/\s+/g, ' '),
    )
    .filter((text) => text !== '')
    .join(' ');
}
