import { BlockWriter } from '../html/block-writer.js';
import { CELL_SEPARATOR, cleanCell, RowWriter } from '../output/row-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import type { UnseenText } from '../output/unseen-text.js';
import type { HiddenCells } from './hidden-cells.js';
import type { HeldRow, MergedRange, SheetCell } from './sheet-cell.js';
import { ROWS_THAT_TELL, RowsBeside } from './side-by-side.js';

interface HangingRange extends MergedRange {
  text: string;
}

/** More empty cells in a row are written as one. */
const MAX_EMPTY_RUN = 64;
/** A merged cell is repeated over this many columns and rows, when its text is short. */
const MAX_REPEATED_COLUMNS = 100;
const MAX_REPEATED_ROWS = 1000;
const MAX_REPEATED_UNITS = 200;
/** Merged ranges that may reach into one row. */
const MAX_HANGING = 1000;

/**
 * Writes one sheet: its name as a heading before its first content, then its rows as tables that begin at the first filled
 * column. An empty row ends a table. A merged cell is repeated over what it spans when the row has other cells.
 */
export class SheetWriter {
  readonly counts = { tables: 0, rows: 0, cells: 0 };
  private readonly writer: BlockWriter;
  private readonly output: ParseOutput;
  private readonly hidden: HiddenCells | undefined;
  private readonly rows: RowWriter;
  private readonly sheet: string;
  private readonly merges: MergedRange[];
  private nextMerge = 0;
  private hanging: HangingRange[] = [];
  private held: HeldRow[] = [];
  private firstColumn = 1;
  private lastRow = -1;
  private hasHeading = false;
  private isHolding = true;
  private readonly beside = new RowsBeside();

  /** `merges` in any order. */
  constructor(output: ParseOutput, sheet: string, merges: readonly MergedRange[] = [], hidden?: HiddenCells) {
    this.output = output;
    this.hidden = hidden;
    this.writer = new BlockWriter(output);
    this.sheet = sheet;
    this.rows = new RowWriter(this.writer, { sheet });
    this.merges = merges.toSorted((one, other) => one.top - other.top);
  }

  /** Adds a merged range that begins in the row that is written next. */
  merge(range: MergedRange): void {
    this.merges.push(range);
  }

  /** Writes a row; rows and the columns in them grow. */
  row(row: number, cells: readonly SheetCell[], isHidden = false): void {
    const all = this.fillMerged(
      row,
      cells.filter(({ text }) => /\S/.test(text)),
    );
    if (all.length === 0) return;
    const filled = this.hidden?.see(all, isHidden) ?? all;
    if (filled.length === 0) return this.passOver(row);
    if (row !== this.lastRow + 1) this.endTable();
    this.lastRow = row;
    if (this.isHolding) {
      this.held.push({ row, cells: filled });
      if (this.held.length >= ROWS_THAT_TELL) this.release();
    } else {
      this.writeBeside(row, filled);
    }
  }

  /** A row that is left out does not end the table that it is in. */
  passOver(row: number): void {
    if (row !== this.lastRow + 1) return;
    if (this.isHolding) this.held.push({ row, cells: [] });
    else this.rows.passOver(row);
    this.lastRow = row;
  }

  /** A remark or the text of a shape; as a caption, what it shows. */
  paragraph(text: string, kind: 'paragraph' | 'caption' = 'paragraph'): void {
    if (!/\S/.test(text)) return;
    this.endTable();
    this.writeHeading();
    this.writer.begin({ kind, sheet: this.sheet });
    this.writer.text(text.trim());
    this.writer.end();
  }

  /** A table that has no place in the grid, for instance the values of a chart. */
  freeTable(rows: readonly (readonly string[])[]): void {
    this.endTable();
    rows.forEach((cells, index) => {
      this.writeHeading();
      this.rows.write(cells, index + 1);
    });
    this.rows.end();
  }

  /** Ends the sheet. */
  finish(): void {
    this.endTable();
    this.counts.tables += this.rows.counts.tables;
    this.counts.rows += this.rows.counts.rows;
    this.counts.cells += this.rows.counts.cells;
  }

  private endTable(): void {
    this.release();
    this.rows.end();
    for (let right = this.beside.takeParted(); right.length > 0; right = this.beside.takeParted()) {
      this.writeHeld(right);
      this.rows.end();
    }
    this.isHolding = true;
    this.lastRow = -1;
  }

  /** Writes the rows held so far, from the first column that any of them uses. */
  private release(): void {
    if (!this.isHolding) return;
    this.isHolding = false;
    const held = this.held.splice(0);
    this.beside.begin(held);
    this.writeHeld(held.map(({ row, cells }) => ({ row, cells: this.beside.leftOf(row, cells) })));
  }

  private writeBeside(row: number, cells: readonly SheetCell[]): void {
    const left = this.beside.leftOf(row, cells);
    if (left.length > 0) this.write(row, left);
    else this.rows.passOver(row);
  }

  private writeHeld(held: HeldRow[]): void {
    while (held.length > 1 && held[0]!.cells.length === 1 && held[1]!.cells.length > 1)
      this.writeCaption(held.shift()!);
    const firsts = held.flatMap(({ cells }) => cells[0]?.column ?? []);
    if (firsts.length > 0) this.firstColumn = Math.min(...firsts);
    for (const { row, cells } of held) {
      if (cells.length === 0) this.rows.passOver(row);
      else this.write(row, cells);
    }
  }

  /** A single cell above the rows of a table names it; the header is the row after it. */
  private writeCaption({ row, cells }: HeldRow): void {
    this.writeHeading();
    this.writer.begin({ kind: 'caption', sheet: this.sheet, row });
    this.writer.text(cells[0]!.text);
    this.writer.end();
    this.counts.cells += 1;
  }

  private write(row: number, cells: readonly SheetCell[]): void {
    this.writeHeading();
    const line: string[] = [];
    let next = Math.min(this.firstColumn, cells[0]!.column);
    for (const { column, text } of cells) {
      const empty = column - next;
      for (let count = 0; count < (empty > MAX_EMPTY_RUN ? 1 : empty); count += 1) line.push('');
      line.push(text);
      next = column + 1;
    }
    this.rows.write(line, row);
    this.noteUnseen(cells);
  }

  /** The row has just been written, so that each of its cells has a known place. Cells beside each other are one stretch. */
  private noteUnseen(cells: readonly SheetCell[]): void {
    if (!cells.some(({ look }) => look !== undefined)) return;
    let end = this.output.position;
    let stretch: UnseenText | undefined;
    for (let at = cells.length - 1; at >= 0; at -= 1) {
      const { text, look, column } = cells[at]!;
      const start = end - cleanCell(text).length;
      if (stretch !== undefined && stretch.look === look) stretch.start = start;
      else {
        if (stretch !== undefined) this.output.addUnseen(stretch);
        stretch = look === undefined || start === end ? undefined : { start, end, look };
      }
      const gap = column - (cells[at - 1]?.column ?? column) - 1;
      end = start - (Math.max(0, gap > MAX_EMPTY_RUN ? 1 : gap) + 1) * CELL_SEPARATOR.length;
    }
    if (stretch !== undefined) this.output.addUnseen(stretch);
  }

  private writeHeading(): void {
    if (this.hasHeading) return;
    this.hasHeading = true;
    if (!/\S/.test(this.sheet)) return;
    this.writer.begin({ kind: 'heading', level: 1, sheet: this.sheet });
    this.writer.text(this.sheet.trim());
    this.writer.end();
  }

  /** Adds what merged cells show in this row; a row with nothing of its own stays as it is. */
  private fillMerged(row: number, cells: readonly SheetCell[]): readonly SheetCell[] {
    this.startMerges(row, cells);
    if (this.hanging.length === 0 || cells.length === 0) return cells;
    this.hanging = this.hanging.filter(({ bottom }) => bottom >= row);
    const isOnlyMerged =
      cells.length === 1 && this.hanging.some(({ top, left }) => top === row && left === cells[0]!.column);
    if (isOnlyMerged || this.hanging.length === 0) return cells;
    const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
    for (const { left, right, text } of this.hanging) {
      for (let column = left; column <= right; column += 1) {
        if (!byColumn.has(column)) byColumn.set(column, { column, text });
      }
    }
    return [...byColumn.values()].sort((one, other) => one.column - other.column);
  }

  private startMerges(row: number, cells: readonly SheetCell[]): void {
    for (let merge = this.merges[this.nextMerge]; merge !== undefined && merge.top <= row;) {
      const { top, left, bottom, right } = merge;
      const text = top === row ? cells.find(({ column }) => column === left)?.text : undefined;
      if (text !== undefined && text.length <= MAX_REPEATED_UNITS && this.hanging.length < MAX_HANGING) {
        this.hanging.push({
          top,
          left,
          bottom: Math.min(bottom, top + MAX_REPEATED_ROWS),
          right: Math.min(right, left + MAX_REPEATED_COLUMNS),
          text,
        });
      }
      this.nextMerge += 1;
      merge = this.merges[this.nextMerge];
    }
  }
}
