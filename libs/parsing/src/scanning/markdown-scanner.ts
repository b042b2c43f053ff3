import type { Block } from '#libs/text';
import { MAX_BLOCK_UNITS, type BlockScanner, type EmitBlock } from './block-scanner.js';
import { LineSplitter, type ScannedLine } from './line-splitter.js';
import {
  indentOf,
  isQuote,
  isRule,
  isTableDelimiter,
  readFence,
  readHeading,
  readListMarker,
  readUnderline,
  type Fence,
} from './markdown-lines.js';
import { isBlank } from './paragraph-scanner.js';
import { emitRows } from './row-blocks.js';

/** A longer line is text, whatever is before or below it. */
const MAX_HEADING_UNITS = 1000;
const MAX_TITLE_UNITS = 300;

interface OpenBlock extends Block {
  /** First code unit and words of the last line taken, for tables and headings that are known one line late. */
  lastLineStart: number;
  lastLine: string;
  /** Rows taken by a table, header included, delimiter not. */
  rows: number;
}

/**
 * Blocks of Markdown, line by line with one line of memory. A heading's range is its words alone, without `#` and
 * underline; every other range includes its markers. Works on the text as it is: nothing is rendered or resolved.
 */
export class MarkdownScanner implements BlockScanner {
  title?: string;
  private readonly emit: EmitBlock;
  private readonly lines = new LineSplitter((line) => this.takeLine(line));
  private open: OpenBlock | undefined;
  private fence: Fence | undefined;
  /** Content columns of the list items that are open, outermost first. */
  private items: number[] = [];
  private afterBlank = true;
  private frontMatter: 'possible' | 'inside' | 'over' = 'possible';

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

  /** The name of the table that `takeRows` is told next; with the line break behind it, it is the text that follows what was fed. */
  takeCaption(caption: string): void {
    const start = this.leaveText(caption.length + 1);
    this.emit({ kind: 'caption', start, end: start + caption.length });
  }

  /** Rows of a table that follows what was fed, a line each, and that is known from elsewhere. */
  takeRows(lines: readonly string[], headerRows?: number): void {
    const start = this.leaveText(lines.reduce((sum, line) => sum + line.length + 1, -1));
    emitRows(this.emit, lines, start, { headerRows });
  }

  /** Ends what is open; answers where the text begins that is passed over. */
  private leaveText(units: number): number {
    const start = this.lines.passOver(units);
    this.close();
    this.frontMatter = 'over';
    this.afterBlank = true;
    return start;
  }

  private takeLine(line: ScannedLine): void {
    if (!line.beginsLine) this.extend(line, this.open?.kind ?? 'paragraph');
    else if (this.frontMatter !== 'over' && this.takeFrontMatter(line)) return;
    else if (this.fence !== undefined) this.takeCode(line, this.fence);
    else if (isBlank(line.text)) this.takeBlank();
    else {
      this.takeStructure(line);
      this.afterBlank = false;
    }
  }

  /** YAML between two lines of three dashes at the very beginning is kept as code; its `title` becomes the title. */
  private takeFrontMatter(line: ScannedLine): boolean {
    const isDashes = line.text.trimEnd() === '---';
    if (this.frontMatter === 'possible') {
      this.frontMatter = isDashes && line.start === 0 ? 'inside' : 'over';
      if (this.frontMatter === 'over') return false;
      this.begin(line, 'code', { language: 'yaml' });
      return true;
    }
    const title = /^title:\s*(.+)$/.exec(line.text)?.[1];
    if (title !== undefined)
      this.title ??= title
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .slice(0, MAX_TITLE_UNITS);
    this.extend(line, 'code');
    if (isDashes) {
      this.close();
      this.frontMatter = 'over';
    }
    return true;
  }

  private takeCode(line: ScannedLine, fence: Fence): void {
    this.extend(line, 'code');
    const closing = readFence(line.text);
    if (closing?.character === fence.character && closing.length >= fence.length && closing.info === '') {
      this.fence = undefined;
      this.close();
    }
  }

  private takeBlank(): void {
    this.close();
    this.afterBlank = true;
  }

  private takeStructure(line: ScannedLine): void {
    const indent = indentOf(line.text);
    const isCodeIndent = indent >= 4 && this.items.length === 0;
    if (isCodeIndent && (this.open?.kind === 'code' || this.open === undefined)) return this.extend(line, 'code');
    if (this.open?.kind === 'code') this.close();
    if (!isCodeIndent && (this.takeOpeningFence(line) || this.takeHeading(line) || this.takeItem(line))) return;
    if (this.takeTable(line)) return;
    if (isQuote(line.text)) return this.continueAs(line, 'quote');
    this.leaveItems(indent);
    const continues = this.open !== undefined && this.open.kind !== 'table';
    this.extend(line, continues ? this.open!.kind : 'paragraph');
  }

  private takeOpeningFence(line: ScannedLine): boolean {
    const fence = readFence(line.text);
    if (fence === undefined) return false;
    this.close();
    this.fence = fence;
    this.begin(line, 'code', { language: fence.language });
    return true;
  }

  private takeHeading(line: ScannedLine): boolean {
    const heading = readHeading(line.text);
    if (heading !== undefined && line.text.length <= MAX_HEADING_UNITS) {
      this.close();
      this.items = [];
      this.emitHeading(heading.level, line.start + heading.from, line.text.slice(heading.from, heading.to));
      return true;
    }
    const open = this.open;
    const level = open?.kind === 'paragraph' ? readUnderline(line.text) : undefined;
    if (open !== undefined && level !== undefined && open.end - open.start <= MAX_HEADING_UNITS) {
      this.open = undefined;
      this.emitHeading(level, open.start, open.lastLine, open.end);
      return true;
    }
    if (!isRule(line.text)) return false;
    this.close();
    return true;
  }

  private emitHeading(level: number, start: number, words: string, end = start + words.length): void {
    if (level === 1 && end > start) this.title ??= words.trim().slice(0, MAX_TITLE_UNITS);
    this.emit({ kind: 'heading', start, end, level });
  }

  private takeItem(line: ScannedLine): boolean {
    const marker = readListMarker(line.text);
    if (marker === undefined) return false;
    this.close();
    while (this.items.length > 0 && marker.indent < this.items.at(-1)!) this.items.pop();
    this.items.push(marker.contentIndent);
    this.begin(line, 'list_item', { level: this.items.length });
    return true;
  }

  private takeTable(line: ScannedLine): boolean {
    const open = this.open;
    if (open?.kind === 'table') {
      if (!line.text.includes('|')) return false;
      this.extend(line, 'table');
      return true;
    }
    if (open === undefined || !open.lastLine.includes('|') || !isTableDelimiter(line.text)) return false;
    if (open.lastLineStart > open.start) {
      this.emitOpen({ ...open, end: trimmedEnd(open) });
    }
    this.open = { ...open, kind: 'table', start: open.lastLineStart, end: line.end, level: undefined, row: 1, rows: 1 };
    this.open.lastLine = line.text;
    return true;
  }

  /** Extends an open block of this kind, or begins one. */
  private continueAs(line: ScannedLine, kind: Block['kind']): void {
    if (this.open !== undefined && this.open.kind !== kind) this.close();
    this.extend(line, kind);
  }

  /** A line after a blank one that is less indented than an item's content ends that item. */
  private leaveItems(indent: number): void {
    if (!this.afterBlank) return;
    while (this.items.length > 0 && indent < this.items.at(-1)!) this.items.pop();
  }

  private extend(line: ScannedLine, kind: Block['kind']): void {
    const open = this.open;
    if (open === undefined || open.kind !== kind) {
      if (open !== undefined) this.close();
      return this.begin(line, kind);
    }
    if (line.end - open.start > MAX_BLOCK_UNITS) {
      this.close();
      const row = kind === 'table' ? (open.row ?? 1) + open.rows : undefined;
      return this.begin(line, kind, { level: open.level, language: open.language, row });
    }
    open.end = line.end;
    open.lastLineStart = line.start;
    open.lastLine = line.text;
    open.rows += 1;
  }

  private begin(line: ScannedLine, kind: Block['kind'], more?: Pick<Block, 'level' | 'language' | 'row'>): void {
    this.open = {
      kind,
      start: line.start,
      end: line.end,
      level: more?.level,
      language: more?.language,
      row: more?.row,
      lastLineStart: line.start,
      lastLine: line.text,
      rows: 1,
    };
  }

  private close(): void {
    if (this.open !== undefined) this.emitOpen(this.open);
    this.open = undefined;
  }

  private emitOpen({ kind, start, end, level, row, language }: Block): void {
    this.emit({ kind, start, end, level, row, language });
  }
}

/** Where the block ends when its last line is taken away: before the line ending, which is one unit at least. */
function trimmedEnd(open: OpenBlock): number {
  return open.lastLineStart - 1;
}
