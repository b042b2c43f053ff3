import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '#libs/text';
import { ParseError } from '../parse-error.js';
import { UnseenNotes, type UnseenLook, type UnseenText } from './unseen-text.js';

/** File names inside the work directory. */
export const TEXT_FILE_NAME = 'text.utf16le';
export const BLOCKS_FILE_NAME = 'blocks.ndjson';

const FLUSH_UNITS = 64 * 1024;
const REPLACEMENT = '\uFFFD';

/**
 * Writes canonical text and blocks incrementally. Synchronous on purpose: a parser child works on one file at a time, and
 * synchronous writes bound its memory without any flow control.
 */
export class ParseOutput {
  readonly textPath: string;
  readonly blocksPath: string;
  /** Blocks written so far, by kind. */
  readonly counts: Partial<Record<Block['kind'], number>> = {};
  private readonly unseen = new UnseenNotes();
  private readonly textFile: number;
  private readonly blocksFile: number;
  private readonly maxTextUnits: number;
  private pendingText: string[] = [];
  private pendingTextUnits = 0;
  private pendingBlocks = '';
  private units = 0;
  private replacements = 0;
  private isClosed = false;

  constructor(workDirectory: string, maxTextUnits: number) {
    this.textPath = join(workDirectory, TEXT_FILE_NAME);
    this.blocksPath = join(workDirectory, BLOCKS_FILE_NAME);
    this.maxTextUnits = maxTextUnits;
    this.textFile = openSync(this.textPath, 'w', 0o600);
    this.blocksFile = openSync(this.blocksPath, 'w', 0o600);
  }

  /** Length of the text so far: the offset that the next unit gets. */
  get position(): number {
    return this.units;
  }

  /** Code units that may still be written. */
  get remainingUnits(): number {
    return this.maxTextUnits - this.units;
  }

  /** Number of U+FFFD in the text so far. */
  get replacedCharacters(): number {
    return this.replacements;
  }

  /**
   * Appends text; NUL and lone surrogates become U+FFFD one for one, so offsets do not move. A surrogate pair must not be
   * divided between two calls. Throws `TEXT_TOO_LONG`.
   */
  writeText(text: string): void {
    if (text.length === 0) return;
    if (this.units + text.length > this.maxTextUnits) {
      throw new ParseError(
        'TEXT_TOO_LONG',
        `The document has more than ${this.maxTextUnits} characters of text; split it into several files.`,
      );
    }
    const clean = text.includes('\0') ? text.replaceAll('\0', REPLACEMENT) : text;
    const wellFormed = clean.toWellFormed();
    for (let at = wellFormed.indexOf(REPLACEMENT); at >= 0; at = wellFormed.indexOf(REPLACEMENT, at + 1)) {
      this.replacements += 1;
    }
    this.units += wellFormed.length;
    this.pendingText.push(wellFormed);
    this.pendingTextUnits += wellFormed.length;
    if (this.pendingTextUnits >= FLUSH_UNITS) this.flushText();
  }

  /** Appends a block; empty ones are left out, except page breaks. */
  writeBlock(block: Block): void {
    if (block.end <= block.start && block.kind !== 'page_break') return;
    this.counts[block.kind] = (this.counts[block.kind] ?? 0) + 1;
    this.pendingBlocks += `${blockLine(block)}\n`;
    if (this.pendingBlocks.length >= FLUSH_UNITS) this.flushBlocks();
  }

  /** Says that this text, which is written now or later, is not seen by a reader of the file. */
  noteUnseen(text: string, look: UnseenLook, page?: number): void {
    this.unseen.note(text, look, this.units, page);
  }

  /** Says the same of a stretch of the canonical text. */
  addUnseen(unseen: UnseenText): void {
    this.unseen.add(unseen);
  }

  /** What was said to be unseen, in the order of the text; once the output is closed. */
  locateUnseen(): UnseenText[] {
    return this.unseen.locate(this.textPath, this.units);
  }

  /** Flushes and closes both files. Idempotent. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.flushText();
    this.flushBlocks();
    closeSync(this.textFile);
    closeSync(this.blocksFile);
  }

  private flushText(): void {
    writeFully(this.textFile, Buffer.from(this.pendingText.join(''), 'utf16le'));
    this.pendingText = [];
    this.pendingTextUnits = 0;
  }

  private flushBlocks(): void {
    writeFully(this.blocksFile, Buffer.from(this.pendingBlocks, 'utf8'));
    this.pendingBlocks = '';
  }
}

/** JSON of a block. By hand: a large Markdown file has millions, and `JSON.stringify` takes three times as long. */
function blockLine(block: Block): string {
  let line = `{"kind":"${block.kind}","start":${block.start},"end":${block.end}`;
  if (block.level !== undefined) line += `,"level":${block.level}`;
  if (block.page !== undefined) line += `,"page":${block.page}`;
  if (block.sheet !== undefined) line += `,"sheet":${JSON.stringify(block.sheet)}`;
  if (block.row !== undefined) line += `,"row":${block.row}`;
  if (block.headerRows !== undefined) line += `,"headerRows":${block.headerRows}`;
  if (block.continues === true) line += ',"continues":true';
  if (block.box !== undefined) line += `,"box":[${block.box.join(',')}]`;
  if (block.language !== undefined) line += `,"language":${JSON.stringify(block.language)}`;
  return `${line}}`;
}

function writeFully(file: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
}
