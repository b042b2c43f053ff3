import type { Block } from '#libs/text';
import type { BlockWriter } from '../html/block-writer.js';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';

/** Where the rows lie. */
export type RowPlace = Pick<Block, 'page' | 'sheet'>;

/**
 * Writes rows of a table, one line each, cells joined by ` | `. Rows that follow each other are lines of one block, or of
 * blocks with one line break between them; a gap in the row numbers begins a new table after an empty line.
 */
export class RowWriter {
  /** Tables, rows and non-empty cells written so far. */
  readonly counts = { tables: 0, rows: 0, cells: 0 };
  private readonly writer: BlockWriter;
  private readonly place: RowPlace;
  private lastRow = -1;
  private units = 0;

  constructor(writer: BlockWriter, place: RowPlace = {}) {
    this.writer = writer;
    this.place = place;
  }

  /** Writes one row; `row` counts from 1 and grows. Rows without text are left out. */
  write(cells: readonly string[], row: number): void {
    const texts = cells.map(cleanCell);
    const filled = texts.filter((text) => text !== '').length;
    if (filled === 0) return;
    const line = texts.join(CELL_SEPARATOR);
    if (row !== this.lastRow + 1) this.beginTable(row);
    else if (this.units + line.length > MAX_BLOCK_UNITS) this.beginBlock(row);
    if (this.writer.hasText) this.writer.lineBreak();
    this.writer.verbatim(line);
    this.units += line.length + 1;
    this.lastRow = row;
    this.counts.rows += 1;
    this.counts.cells += filled;
  }

  /** A row of the table that is not written: the next one goes on with it. */
  passOver(row: number): void {
    if (row === this.lastRow + 1) this.lastRow = row;
  }

  /** Ends the table; the next row begins another one. */
  end(): void {
    this.writer.end();
    this.lastRow = -1;
  }

  private beginTable(row: number): void {
    this.writer.apart();
    this.counts.tables += 1;
    this.beginBlock(row);
  }

  private beginBlock(row: number): void {
    this.writer.begin({ kind: 'table', row, ...this.place });
    this.units = 0;
  }
}

/** What is between the cells of a row. */
export const CELL_SEPARATOR = ' | ';

/** Text of a cell on one line, without soft hyphens; a bar in it keeps its neighbours by spaces that do not separate cells. */
export function cleanCell(text: string): string {
  const line = /[\s\u00ad]/.test(text) ? text.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim() : text;
  return line.includes('|') ? line.replaceAll(' |', '\u00a0|').replaceAll('| ', '|\u00a0') : line;
}

/** A row as it is in the canonical text. */
export function joinCells(cells: readonly string[]): string {
  return cells.map(cleanCell).join(CELL_SEPARATOR);
}
