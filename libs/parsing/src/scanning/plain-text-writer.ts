import type { ParseOutput } from '../output/parse-output.js';
import { joinCells } from '../output/row-writer.js';
import { MarkupTables } from './markup-tables.js';
import type { MarkupTable } from './markups/markup-table.js';
import { ParagraphScanner } from './paragraph-scanner.js';
import { TextTables, type DrawnTable } from './text-tables.js';

/** Writes plain text as canonical text, as it is but for the tables that it draws, which become rows. */
export class PlainTextWriter {
  /** Tables and rows written so far. */
  tables = 0;
  rows = 0;
  private readonly markups = new MarkupTables();
  private readonly found = new TextTables();
  private readonly scanner: ParagraphScanner;
  private readonly output: ParseOutput;

  constructor(output: ParseOutput) {
    this.output = output;
    this.scanner = new ParagraphScanner((block) => output.writeBlock(block));
  }

  feed(piece: string): void {
    this.take(this.markups.feed(piece));
  }

  /** Ends the text. */
  finish(): void {
    this.take(this.markups.finish());
    this.write(this.found.finish());
    this.scanner.finish();
  }

  private take(parts: readonly (string | MarkupTable)[]): void {
    for (const part of parts) {
      if (typeof part === 'string') this.write(this.found.feed(part));
      else {
        this.write(this.found.finish());
        this.writeTable({ rows: part.rows, firstRow: 1, continues: false, headerRows: part.headerRows });
      }
    }
  }

  private write(parts: readonly (string | DrawnTable)[]): void {
    for (const part of parts) {
      if (typeof part === 'string') {
        this.output.writeText(part);
        this.scanner.feed(part);
      } else this.writeTable(part);
    }
  }

  private writeTable({ rows, firstRow, continues, headerRows }: DrawnTable): void {
    const lines = rows.map(joinCells);
    if (firstRow === 1) this.tables += 1;
    this.rows += rows.length;
    this.scanner.takeRows(lines, { firstRow, continues, headerRows });
    this.output.writeText(lines.join('\n'));
  }
}
