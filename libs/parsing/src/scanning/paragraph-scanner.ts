import { MAX_BLOCK_UNITS, type BlockScanner, type EmitBlock } from './block-scanner.js';
import { LineSplitter, type ScannedLine } from './line-splitter.js';
import { emitRows, type RowsMarks } from './row-blocks.js';

/** Plain text: a paragraph is a run of lines that are not blank. */
export class ParagraphScanner implements BlockScanner {
  private readonly emit: EmitBlock;
  private readonly lines = new LineSplitter((line) => this.takeLine(line));
  private start = -1;
  private end = -1;

  constructor(emit: EmitBlock) {
    this.emit = emit;
  }

  feed(piece: string): void {
    this.lines.feed(piece);
  }

  finish(): void {
    this.lines.finish();
    this.close();
  }

  /** Rows of a table that follows what was fed, a line each, and that is known from elsewhere. */
  takeRows(lines: readonly string[], marks: RowsMarks): void {
    const start = this.lines.passOver(lines.reduce((sum, line) => sum + line.length + 1, -1));
    this.close();
    emitRows(this.emit, lines, start, marks);
  }

  private takeLine(line: ScannedLine): void {
    if (isBlank(line.text)) {
      if (line.beginsLine) this.close();
      return;
    }
    if (this.start >= 0 && line.end - this.start > MAX_BLOCK_UNITS) this.close();
    if (this.start < 0) this.start = line.start;
    this.end = line.end;
  }

  private close(): void {
    if (this.start >= 0) this.emit({ kind: 'paragraph', start: this.start, end: this.end });
    this.start = -1;
  }
}

/** Whether a line has nothing but white space. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
