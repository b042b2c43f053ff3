import { BlockWriter } from '../html/block-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { RowWriter } from '../output/row-writer.js';
import type { SheetCell } from '../sheets/sheet-cell.js';
import { ROWS_THAT_TELL, RowsBeside } from '../sheets/side-by-side.js';
import { areNotes, beginsTable, isTitleAlone } from './next-table.js';

/** Writes records and counts them; two tables one below the other, or side by side, one after the other. */
export class DelimitedRows {
  count = 0;
  columns = 0;
  private readonly writer: BlockWriter;
  private readonly rows: RowWriter;
  private readonly beside = new RowsBeside();
  /** The first records of a table, until it is known whether they are of two. */
  private held: (readonly string[])[] | undefined = [];
  /** The first records of the table that is being written. */
  private first: (readonly string[])[] = [];
  /** Records below an empty line, until it is known whether they begin a table. */
  private below: (readonly string[])[] | undefined;
  private isAfterGap = false;
  private row = 0;

  constructor(output: ParseOutput) {
    this.writer = new BlockWriter(output);
    this.rows = new RowWriter(this.writer);
  }

  get tables(): number {
    return this.rows.counts.tables;
  }

  /** Takes the next record; `isAfterEmptyLine`: lines without anything are above it. One without text is such a line, too. */
  write(record: readonly string[], isAfterEmptyLine = false): void {
    const cells = record.map(withoutFormula);
    this.isAfterGap ||= isAfterEmptyLine;
    if (!cells.some((cell) => /\S/.test(cell))) {
      this.isAfterGap = true;
      return;
    }
    this.count += 1;
    this.columns = Math.max(this.columns, cells.length);
    if (this.isAfterGap && this.first.length > 0 && !(this.below !== undefined && isTitleAlone(this.below))) {
      this.decide();
      this.below = [];
    }
    this.isAfterGap = false;
    if (this.below === undefined) return this.take(cells);
    this.below.push(cells);
    if (this.below.length >= ROWS_THAT_TELL) this.decide();
  }

  end(): void {
    const below = this.below ?? [];
    if (areNotes(this.first, below)) {
      this.below = undefined;
      this.endTable();
      for (const [note = ''] of below) this.writeNote(note);
      return;
    }
    this.decide();
    this.endTable();
  }

  private writeNote(text: string): void {
    this.writer.begin({ kind: 'paragraph' });
    this.writer.text(text);
    this.writer.end();
  }

  /** Says of what is below an empty line whether it goes on with the table above. */
  private decide(): void {
    const below = this.below ?? [];
    this.below = undefined;
    if (beginsTable(this.first, below)) {
      this.endTable();
      this.first = [];
      this.held = [];
      // The empty line: rows whose numbers follow each other are of one table.
      this.row += 1;
    }
    for (const cells of below) this.take(cells);
  }

  private take(cells: readonly string[]): void {
    this.row += 1;
    if (this.first.length < ROWS_THAT_TELL) this.first.push(cells);
    if (this.held === undefined) return this.put(cells, this.row);
    this.held.push(cells);
    if (this.held.length >= ROWS_THAT_TELL) this.release();
  }

  private endTable(): void {
    this.release();
    this.rows.end();
    for (let right = this.beside.takeParted(true); right.length > 0; right = this.beside.takeParted(true)) {
      for (const { row, cells } of right) this.putPart(cells, row);
      this.rows.end();
    }
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    const first = this.row - held.length + 1;
    const rows = held.map((cells, at) => ({ row: first + at, cells: placed(cells) }));
    if (held.length > 0) this.beside.begin(rows, true);
    held.forEach((cells, at) => this.put(cells, first + at));
  }

  private put(cells: readonly string[], row: number): void {
    if (this.beside.isParting) this.putPart(this.beside.leftOf(row, placed(cells)), row);
    else this.rows.write(cells, row);
  }

  private putPart(cells: readonly SheetCell[], row: number): void {
    if (!cells.some(hasText)) return this.rows.passOver(row);
    const texts = cells.slice(0, cells.findLastIndex(hasText) + 1).map(({ text }) => text);
    this.rows.write(texts, row);
  }
}

/** `="00123"`, as exports write what Excel is to keep as text. */
function withoutFormula(cell: string): string {
  return cell.length > 2 && cell.startsWith('="') && cell.endsWith('"') ? cell.slice(2, -1) : cell;
}

const placed = (cells: readonly string[]): SheetCell[] => cells.map((text, at) => ({ column: at + 1, text }));
const hasText = ({ text }: SheetCell): boolean => /\S/.test(text);
