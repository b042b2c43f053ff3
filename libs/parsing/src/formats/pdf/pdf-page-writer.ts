import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { BlockWriter, type BlockShape } from '../../html/block-writer.js';
import type { ParseOutput } from '../../output/parse-output.js';
import type { RecognisedParagraph } from '../../ocr/read-tsv.js';
import { joinCells } from '../../output/row-writer.js';
import { PageTables, RunningHeads, type BlockPlace } from './page-joins.js';
import type { PageBody } from './page-bodies.js';
import { isVertical } from './vertical-text-check.js';
import { notesOf } from './page-notes.js';
import { boxOf, clampLevel, coverage, markupRemover, oneLine, rounded, type BlockBox } from './page-text.js';
import { boxOf as boxOfCells, rowsOf, tablesOf } from './tables-beside.js';
import { inView } from './turned-pages.js';
import { losesCharacters, type ReadablePage } from './unmapped-text.js';
import { unseenItems, type Ground } from './unseen-items.js';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Shorter words are what OCR makes of specks, and are in any text. */
const LEAST_UNITS = 4;
/** Fewer words tell nothing. */
const LEAST_WORDS = 10;
/** Of the words on a picture, those that a layer of poor OCR has still. */
const LEAST_SHARE = 0.4;

/** A page whose layout blocks hold less of its characters than this is written as plain text instead. */
const LEAST_COVERAGE = 0.97;
/** A longer "heading" is a paragraph in large type. */
const MAX_HEADING_UNITS = 200;
const MAX_TITLE_UNITS = 300;

/** A page under a picture with less text than this holds a stamp or a page number, not its content. */
const MAX_STAMP_CHARACTERS = 100;
/** Outlined area by page area, above which a page without text is taken for text drawn as curves. */
const LEAST_OUTLINED_SHARE = 0.01;
/** Pages of a document whose text is held against their picture. */
const MOST_COMPARED = 20;
/** Fewer characters on a page with pictures are little for a page. */
const SPARSE_CHARACTERS = 50;

/** Reads the text of a picture, to be the text of its page or to check that; undefined when it cannot. */
export type ReadPicture = (page: ParsedPage, why: 'read' | 'check') => Promise<RecognisedParagraph[] | undefined>;

/** Shapes of a page that are filled; undefined when they cannot be told. */
export type ReadGrounds = (page: number) => Promise<readonly Ground[] | undefined>;

/** Writes the pages of a PDF, one after the other, and counts what it could not read. */
export class PdfPageWriter {
  pages = 0;
  /** Pages without any text, read by OCR or not. */
  readonly empty: number[] = [];
  /** Pages that are pictures, or text drawn as curves. */
  readonly scanned: number[] = [];
  /** Those of `scanned` that were read by OCR. */
  readonly recognised: number[] = [];
  /** Characters that mean nothing. */
  charactersLeftOut = 0;
  /** Pages with a font without a mapping. */
  readonly garbled: number[] = [];
  /** Pages of which more than a tenth of the characters means nothing. */
  readonly lossy: number[] = [];
  /** Pages that were read in columns from top to bottom. */
  columnPages = 0;
  /** Pages set so that could not be read so. */
  readonly vertical: number[] = [];
  /** Pages with cells that could not be given to their tables. */
  readonly torn: number[] = [];
  /** Pages with pictures and next to no text. */
  readonly sparse: number[] = [];
  /** Pages whose layout could not be trusted. */
  plainPages = 0;
  /** Pages whose text was held against their picture, and those of them that say something else. */
  compared = 0;
  readonly differing: number[] = [];
  tables = 0;
  tableRows = 0;
  images = 0;
  /** Filled form fields and comments. */
  notes = 0;
  title: string | undefined;
  /** The last block of the last page is one of its own text. */
  private isOpen = false;
  /** Where a rectangle of the page is in its view. */
  private placed: (box: BlockBox) => BlockBox = (box) => box;
  private readonly heads = new RunningHeads();
  private readonly joins = new PageTables();
  private readonly writer: BlockWriter;
  private readonly output: ParseOutput;
  private readonly readPicture: ReadPicture;
  private readonly readGrounds: ReadGrounds;

  constructor(output: ParseOutput, readPicture: ReadPicture, readGrounds: ReadGrounds) {
    this.output = output;
    this.readPicture = readPicture;
    this.readGrounds = readGrounds;
    this.writer = new BlockWriter(output);
  }

  async writePage(read: ReadablePage, body: PageBody): Promise<void> {
    const { page, turned } = read;
    this.placed = (box) => (turned === undefined ? box : inView(box, turned, page));
    this.pages += 1;
    if (this.pages > 1) {
      const at = this.output.position;
      this.output.writeBlock({ kind: 'page_break', start: at, end: at, page: page.pageNum });
    }
    const isEmpty = page.text.trim() === '';
    if (losesCharacters(read)) this.lossy.push(page.pageNum);
    this.charactersLeftOut += read.drawn - read.kept;
    if (isEmpty) this.empty.push(page.pageNum);
    else {
      for (const { text, look } of await unseenItems(page, this.readGrounds)) {
        this.output.noteUnseen(text, look, page.pageNum);
      }
      if (read.isTorn === true) this.torn.push(page.pageNum);
      if (read.columns === 'read') this.columnPages += 1;
      else if (read.columns === 'lost' || isVertical(page)) this.vertical.push(page.pageNum);
      this.writeText(page, body);
    }
    this.classify(read, isEmpty);
    if (this.scanned.at(-1) !== page.pageNum) await this.compare(page);
    if (this.scanned.at(-1) === page.pageNum) await this.recognise(page);
    const notes = notesOf(page);
    if (notes.length > 0) this.writeLines(notes, { kind: 'paragraph', page: page.pageNum });
    this.notes += notes.length;
    this.writer.end();
    this.isOpen = notes.length === 0 && !isEmpty;
  }

  private writeText(page: ParsedPage, body: PageBody): void {
    if (coverage(page, page.blocks ?? []) < LEAST_COVERAGE) {
      this.plainPages += 1;
      this.writePlain(page, body.text);
      return;
    }
    const clean = markupRemover(page.text);
    this.heads.nextPage();
    if (body.gap !== undefined && this.isOpen) this.writer.goOn(body.gap);
    for (const [place, block] of body.blocks.entries()) this.writeBlock(block, { page: page.pageNum, place }, clean);
  }

  private classify({ page, drawn, kept }: ReadablePage, isEmpty: boolean): void {
    const facts = page.complexity;
    if (facts === undefined) return;
    const pictures = facts.imageBlockCount + (facts.fullPageImage ? 1 : 0);
    this.images += pictures;
    const characters = page.text.replace(/\s+/g, '').length;
    const isOutlined = (facts.uncoveredVectorArea ?? 0) > facts.pageArea * LEAST_OUTLINED_SHARE;
    if (isEmpty ? pictures > 0 || isOutlined || drawn > 0 : facts.fullPageImage && characters < MAX_STAMP_CHARACTERS) {
      this.scanned.push(page.pageNum);
    } else if (pictures > 0 && characters < SPARSE_CHARACTERS) {
      this.sparse.push(page.pageNum);
    }
    if (facts.isGarbled && (kept < drawn || isOfWords(page))) this.garbled.push(page.pageNum);
  }

  /** Holds a text layer against the picture that lies over its page, where pictures are read. */
  private async compare(page: ParsedPage): Promise<void> {
    if (page.complexity?.fullPageImage !== true || this.compared >= MOST_COMPARED) return;
    const paragraphs = await this.readPicture(page, 'check');
    if (paragraphs === undefined) return;
    this.compared += 1;
    const seen = paragraphs.map(({ text }) => text).join(' ');
    if (saysOtherwise(page.text, seen)) this.differing.push(page.pageNum);
  }

  private async recognise(page: ParsedPage): Promise<void> {
    const paragraphs = await this.readPicture(page, 'read');
    if (paragraphs === undefined) return;
    this.recognised.push(page.pageNum);
    for (const { text, box } of paragraphs)
      this.writeFlow(text, { kind: 'paragraph', page: page.pageNum, box: rounded(box) });
  }

  private writeBlock(block: LayoutBlock, at: BlockPlace, clean: (text: string) => string): void {
    const text = clean(block.text ?? '');
    const place = { page: at.page, ...boxOf(block, this.placed) };
    if (block.kind !== 'table') this.joins.pass(at);
    switch (block.kind) {
      case 'heading':
        return this.writeHeading(text, { kind: 'heading', level: clampLevel(block.level), ...place }, at.place);
      case 'paragraph':
        this.heads.isRunning(text, at.place);
        return this.writeFlow(text, { kind: 'paragraph', ...place });
      case 'list_item': {
        const marker = block.marker === undefined || block.marker === '' ? '' : `${block.marker} `;
        return this.writeFlow(text, { kind: 'list_item', level: (block.level ?? 0) + 1, ...place }, marker);
      }
      case 'code':
        return this.writeLines(block.lines ?? [], { kind: 'code', language: block.lang, ...place });
      case 'grid_fallback':
        return this.writeLines(block.lines ?? [], { kind: 'table', row: 1, ...place });
      case 'table':
        return this.writeTable(block, at, clean);
      case 'rule':
      case 'figure':
        return;
    }
  }

  private writeTable(block: LayoutBlock, at: BlockPlace, clean: (text: string) => string): void {
    for (const [nth, table] of tablesOf(rowsOf(block), block.bbox).entries()) {
      const cells = table.rows.map((row) => row.map((cell) => oneLine(clean(cell.text))));
      const { rows, row, continues } = this.joins.join(cells, { bbox: table.bbox, cells: boxOfCells(table.rows) }, at);
      if (!continues) this.tables += 1;
      this.tableRows += rows.length;
      const place = { page: at.page, ...boxOf(table, this.placed) };
      const shape = { kind: 'table' as const, row, ...(continues && { continues }), ...place };
      if (nth > 0) this.writer.apart();
      if (table.title !== undefined)
        this.writeHeading(clean(table.title), { kind: 'heading', level: 2, page: at.page }, at.place);
      if (table.lead !== undefined) this.writeFlow(clean(table.lead), { kind: 'paragraph', page: at.page });
      this.writeLines(rows.map(joinCells), shape);
    }
  }

  private writeHeading(text: string, shape: BlockShape, place: number): void {
    if (this.heads.isRunning(text, place)) {
      return this.writeFlow(text, { ...shape, kind: 'paragraph', level: undefined });
    }
    if (text.length > MAX_HEADING_UNITS || text.includes('\u2022')) {
      return this.writeFlow(text, { ...shape, kind: 'paragraph', level: undefined });
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
  private writePlain(page: ParsedPage, text: string): void {
    for (const paragraph of text.split(/\n[ \t]*\n\s*/)) {
      const lines = paragraph.split('\n').map((line) => oneLine(line));
      this.writeLines([lines.filter((line) => line !== '').join('\n')], { kind: 'paragraph', page: page.pageNum });
    }
  }
}

/** Whether letters are most of what a page says: lists of numbers look as what a font without a mapping gives. */
function isOfWords({ text }: ParsedPage): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters * 2 > text.replace(/\s+/g, '').length;
}

/** Whether a text layer says something else than what is on the picture (`seen`, as OCR reads it): most words of that are not in it. */
export function saysOtherwise(layer: string, seen: string): boolean {
  const words = wordsOf(seen);
  if (words.length < LEAST_WORDS) return false;
  const known = new Set(wordsOf(layer));
  return words.filter((word) => known.has(word)).length < words.length * LEAST_SHARE;
}

/** Long words in small letters, without accents; texts without spaces give their characters. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return [...word];
    return word.length >= LEAST_UNITS ? word : [];
  });
}
