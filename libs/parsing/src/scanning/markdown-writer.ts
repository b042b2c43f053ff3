import { joinCells } from '../output/row-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { MarkdownComments } from './markdown-comments.js';
import { MarkdownScanner } from './markdown-scanner.js';
import { MarkdownTables, type RawTable } from './markdown-tables.js';

/** Writes Markdown as canonical text, as it is but for its comments and for tables in another form, and blocks that say what its lines mean. */
export class MarkdownWriter {
  private readonly comments = new MarkdownComments();
  private readonly tables = new MarkdownTables();
  private readonly scanner: MarkdownScanner;
  private readonly output: ParseOutput;

  constructor(output: ParseOutput) {
    this.output = output;
    const shift = output.position;
    this.scanner = new MarkdownScanner((block) =>
      output.writeBlock({ ...block, start: block.start + shift, end: block.end + shift }),
    );
  }

  /** Title found so far. */
  get title(): string | undefined {
    return this.scanner.title;
  }

  get commentsLeftOut(): number {
    return this.comments.count;
  }

  get elementsLeftOut(): number {
    return this.comments.hiddenElements;
  }

  get struckCharacters(): number {
    return this.comments.struckCharacters;
  }

  feed(piece: string): void {
    this.write(this.tables.feed(this.comments.feed(piece)));
  }

  /** Ends the text. */
  finish(): void {
    this.write(this.tables.feed(this.comments.finish()));
    this.write(this.tables.finish());
    this.scanner.finish();
  }

  private write(parts: readonly (string | RawTable)[]): void {
    for (const part of parts) {
      if (typeof part === 'string') {
        this.output.writeText(part);
        this.scanner.feed(part);
      } else this.writeTable(part);
    }
  }

  private writeTable({ caption, rows, headerRows }: RawTable): void {
    const lines = rows.map(joinCells);
    if (caption !== '') {
      this.scanner.takeCaption(caption);
      this.output.writeText(`${caption}\n`);
    }
    this.scanner.takeRows(lines, headerRows);
    this.output.writeText(lines.join('\n'));
  }
}
