import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { BlockWriter, type BlockShape } from '../html/block-writer.js';
import type { ParseOutput } from '../output/parse-output.js';

/** A page whose layout blocks hold less of its characters than this is written as plain text instead. */
const LEAST_COVERAGE = 0.97;
/** A longer "heading" is a paragraph in large type. */
const MAX_HEADING_UNITS = 200;
const MAX_TITLE_UNITS = 300;

/** Writes the pages of a PDF, one after the other, and counts what it could not read. */
export class PdfPageWriter {
  pages = 0;
  emptyPages = 0;
  /** Empty pages that hold a picture. */
  scannedPages = 0;
  /** Pages whose layout could not be trusted. */
  plainPages = 0;
  title: string | undefined;
  private readonly writer: BlockWriter;
  private readonly output: ParseOutput;

  constructor(output: ParseOutput) {
    this.output = output;
    this.writer = new BlockWriter(output);
  }

  writePage(page: ParsedPage): void {
    this.pages += 1;
    if (this.pages > 1) {
      const at = this.output.position;
      this.output.writeBlock({ kind: 'page_break', start: at, end: at, page: page.pageNum });
    }
    if (page.text.trim() === '') return this.countEmpty(page);
    const blocks = page.blocks ?? [];
    if (coverage(page, blocks) < LEAST_COVERAGE) {
      this.plainPages += 1;
      this.writePlain(page);
    } else {
      const clean = markupRemover(page.text);
      for (const block of blocks) this.writeBlock(block, page.pageNum, clean);
    }
    this.writer.end();
  }

  private countEmpty(page: ParsedPage): void {
    this.emptyPages += 1;
    if ((page.complexity?.imageBlockCount ?? 0) > 0 || page.complexity?.fullPageImage === true) this.scannedPages += 1;
  }

  private writeBlock(block: LayoutBlock, page: number, clean: (text: string) => string): void {
    const text = clean(block.text ?? '');
    switch (block.kind) {
      case 'heading':
        return this.writeHeading(text, { kind: 'heading', level: clampLevel(block.level), page });
      case 'paragraph':
        return this.writeFlow(text, { kind: 'paragraph', page });
      case 'list_item': {
        const marker = block.marker === undefined || block.marker === '' ? '' : `${block.marker} `;
        return this.writeFlow(text, { kind: 'list_item', level: (block.level ?? 0) + 1, page }, marker);
      }
      case 'code':
        return this.writeLines(block.lines ?? [], { kind: 'code', language: block.lang, page });
      case 'grid_fallback':
        return this.writeLines(block.lines ?? [], { kind: 'table', row: 1, page });
      case 'table': {
        const rows = [block.header ?? [], ...(block.rows ?? [])].filter((row) => row.length > 0);
        const lines = rows.map((row) => row.map((cell) => oneLine(clean(cell.text))).join(' | '));
        return this.writeLines(lines, { kind: 'table', row: 1, page });
      }
      case 'rule':
      case 'figure':
        return;
    }
  }

  private writeHeading(text: string, shape: BlockShape): void {
    if (text.length > MAX_HEADING_UNITS || text.includes('\u2022')) {
      return this.writeFlow(text, { kind: 'paragraph', page: shape.page });
    }
    this.title ??= this.pages === 1 ? oneLine(text).slice(0, MAX_TITLE_UNITS) || undefined : undefined;
    this.writeFlow(text, shape);
  }

  private writeFlow(text: string, shape: BlockShape, prefix = ''): void {
    this.writer.begin(shape, prefix);
    this.writer.text(text);
    this.writer.end();
  }

  private writeLines(lines: readonly string[], shape: BlockShape): void {
    this.writer.begin(shape);
    this.writer.verbatim(lines.join('\n'));
    this.writer.end();
  }

  /** Lines as they lie on the page; an empty line ends a paragraph. */
  private writePlain(page: ParsedPage): void {
    for (const paragraph of page.text.split(/\n[ \t]*\n\s*/)) {
      const lines = paragraph.split('\n').map((line) => oneLine(line));
      this.writeLines([lines.filter((line) => line !== '').join('\n')], { kind: 'paragraph', page: page.pageNum });
    }
  }
}

function clampLevel(level: number | undefined): number {
  return Math.min(Math.max(level ?? 1, 1), 6);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Layout blocks carry Markdown emphasis and escapes that are not on the page. A mark is taken away when the page's plain
 * text has no such character at all; where it has, only the doubled mark of bold type goes.
 */
function markupRemover(plain: string): (text: string) => string {
  const single = plain.includes('*') ? /\*\*/g : /\*+/g;
  const escapes = plain.includes('\\') ? undefined : /\\/g;
  return (text) => {
    const bare = text.replace(single, '');
    return escapes === undefined ? bare : bare.replace(escapes, '');
  };
}

/** How many of the letters and digits of a page are in its blocks, 0–1; counted, not compared in order. */
function coverage(page: ParsedPage, blocks: readonly LayoutBlock[]): number {
  const all = countLetters(page.text);
  if (all === 0) return blocks.length === 0 ? 0 : 1;
  let covered = 0;
  for (const block of blocks) {
    covered += countLetters(`${block.marker ?? ''}${block.text ?? ''}${(block.lines ?? []).join('')}`);
    for (const row of [block.header ?? [], ...(block.rows ?? [])]) {
      for (const cell of row) covered += countLetters(cell.text);
    }
  }
  return covered / all;
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
