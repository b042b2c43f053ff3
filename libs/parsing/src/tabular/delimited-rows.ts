import { BlockWriter } from '../html/block-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { RowWriter } from '../output/row-writer.js';
import type { SheetCell } from '../sheets/sheet-cell.js';
import { ROWS_THAT_TELL, RowsBeside } from '../sheets/side-by-side.js';

/** Writes records and counts them; two tables side by side one after the other. */
export class DelimitedRows {
  count = 0;
  columns = 0;
  private readonly rows: RowWriter;
  private readonly beside = new RowsBeside();
  /** The first records, until it is known whether they are of two tables. */
  private held: (readonly string[])[] | undefined = [];

  constructor(output: ParseOutput) {
    this.rows = new RowWriter(new BlockWriter(output));
  }

  get tables(): number {
    return this.rows.counts.tables;
  }

  write(record: readonly string[]): void {
    const cells = record.map(withoutFormula);
    if (!cells.some((cell) => /\S/.test(cell))) return;
    this.count += 1;
    this.columns = Math.max(this.columns, cells.length);
    if (this.held === undefined) return this.put(cells, this.count);
    this.held.push(cells);
    if (this.held.length >= ROWS_THAT_TELL) this.release();
  }

  end(): void {
    this.release();
    this.rows.end();
    for (const { row, cells } of this.beside.take()) this.putPart(cells, row);
    this.rows.end();
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    const rows = held.map((cells, at) => ({ row: at + 1, cells: placed(cells).filter(hasText) }));
    this.beside.begin(rows, true);
    held.forEach((cells, at) => this.put(cells, at + 1));
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
