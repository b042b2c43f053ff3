import type { Block } from '#libs/text';
import type { ParseOutput } from '../output/parse-output.js';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';

/** What a block is, besides its range. */
export type BlockShape = Omit<Block, 'start' | 'end'>;

/**
 * Composes canonical text from flowing text: white space collapses as in a browser, blocks are set apart by an empty
 * line, list items and rows by a line break. A block begins with its first visible character.
 */
export class BlockWriter {
  private readonly output: ParseOutput;
  private shape: BlockShape | undefined;
  private start = -1;
  private prefix = '';
  private gap: '' | ' ' | '\n' | '\n\n' = '';
  private pendingSpace = false;
  private previousKind: Block['kind'] | undefined;
  /** Is before the next block instead of a line break. */
  private nextGap: ' ' | '' | undefined;

  constructor(output: ParseOutput) {
    this.output = output;
  }

  /** Whether a block is open that has text. */
  get hasText(): boolean {
    return this.start >= 0;
  }

  /** Ends the open block and declares the next; `prefix` (a list marker) is before its first word. */
  begin(shape: BlockShape, prefix = ''): void {
    this.end();
    this.shape = shape;
    this.prefix = prefix;
  }

  /** Appends flowing text; runs of white space become one space. */
  text(text: string): void {
    const words = text.replaceAll('\u00ad', '').replace(/[ \t\n\f\r]+/g, ' ');
    if (words === '') return;
    if (words === ' ') {
      this.pendingSpace = this.hasText;
      return;
    }
    const lead = words.startsWith(' ') || this.pendingSpace;
    const tail = words.endsWith(' ');
    const body = words.slice(words.startsWith(' ') ? 1 : 0, tail ? -1 : undefined);
    this.open();
    if (lead && this.output.position > this.start + this.prefix.length) this.splitWhenLong();
    const isFirst = this.output.position === this.start + this.prefix.length;
    this.output.writeText(lead && !isFirst ? ` ${body}` : body);
    this.pendingSpace = tail;
  }

  /** Appends preformatted text as it is. */
  verbatim(text: string): void {
    if (text === '') return;
    this.open();
    this.output.writeText(text);
  }

  /** A line break inside the open block. */
  lineBreak(): void {
    if (!this.hasText) return;
    this.pendingSpace = false;
    this.output.writeText('\n');
  }

  /** Ends the open block, if it has text. */
  end(): void {
    if (this.shape !== undefined && this.start >= 0) {
      this.output.writeBlock({ ...this.shape, start: this.start, end: this.output.position });
      this.previousKind = this.shape.kind;
    }
    this.shape = undefined;
    this.start = -1;
    this.prefix = '';
    this.pendingSpace = false;
  }

  /** Ends the open block and sets the next one apart by an empty line, also where it is another row of a table. */
  apart(): void {
    this.end();
    this.previousKind = undefined;
  }

  /** The next block goes on with the line of the last one. */
  goOn(gap: ' ' | ''): void {
    this.end();
    this.nextGap = gap;
  }

  private open(): void {
    if (this.start >= 0) return;
    this.shape ??= { kind: 'paragraph' };
    if (this.output.position > 0) {
      const isNextLine = this.shape.kind === this.previousKind && isLineKind(this.shape.kind);
      this.gap = this.nextGap ?? (isNextLine ? '\n' : '\n\n');
      this.output.writeText(this.gap);
    }
    this.nextGap = undefined;
    this.start = this.output.position;
    this.output.writeText(this.prefix);
  }

  /** Goes on in a block of the same shape when the open one is too long. */
  private splitWhenLong(): void {
    if (this.shape === undefined || this.output.position - this.start < MAX_BLOCK_UNITS) return;
    const shape = this.shape;
    this.begin(shape);
    this.open();
  }
}

function isLineKind(kind: Block['kind']): boolean {
  return kind === 'list_item' || kind === 'table';
}
