import { BlockWriter, type BlockShape } from '../html/block-writer.js';
import type { Flow } from './flow.js';
import { RowWriter, type RowPlace } from './row-writer.js';
import { TableBuilder, type CellSpan, type FlowParagraph, type TableSink } from './table-builder.js';
import type { ParseOutput } from './parse-output.js';
import { writeParsedPart, type ParsedPart } from './parsed-part.js';

/** Longest piece that goes to the block writer at once; blocks can end between pieces. */
const PIECE_UNITS = 8192;

/**
 * Takes a document as word processors and presentations tell it, paragraph by paragraph and cell by cell, and writes
 * canonical text and blocks. Tables that only arrange the page (one column, headings or tables inside and no grid of short cells) become flowing text.
 */
export class FlowWriter implements Flow, TableSink {
  /** Page and sheet of what is written from now on. */
  place: RowPlace = {};
  /** Tables written so far. */
  tables = 0;
  /** Rows in them. */
  rows = 0;
  /** First heading of the document. */
  firstHeading: string | undefined;
  private readonly output: ParseOutput;
  private readonly writer: BlockWriter;
  private readonly builder: TableBuilder;
  private table: RowWriter | undefined;

  constructor(output: ParseOutput) {
    this.output = output;
    this.writer = new BlockWriter(output);
    this.builder = new TableBuilder(this);
  }

  /** Writes a paragraph, or puts it into the open cell; line breaks in `text` stay, other white space collapses. */
  paragraph(shape: BlockShape, text: string, marker = ''): void {
    if (!/\S/.test(text)) return;
    const paragraph = { shape, text: text.trim(), marker };
    if (!this.builder.take(paragraph)) this.writeParagraph(paragraph);
  }

  /** Writes what another parser read; in a cell its words, block by block. */
  insert(part: ParsedPart): void {
    const { text, blocks } = part;
    const words = (index: number): string => text.slice(blocks[index]!.start, blocks[index]!.end);
    if (this.isInTable) {
      for (const index of blocks.keys()) this.paragraph({ kind: 'paragraph' }, words(index));
      return;
    }
    const heading = blocks.findIndex(({ kind }) => kind === 'heading');
    if (heading >= 0) this.firstHeading ??= words(heading).replace(/\s+/g, ' ').slice(0, 300);
    this.writer.apart();
    writeParsedPart(part, this.output);
  }

  /** Begins a page or slide, from 1; what is open ends. */
  beginPage(page: number): void {
    this.finish();
    this.place = { ...this.place, page };
    const at = this.output.position;
    if (page > 1) this.output.writeBlock({ kind: 'page_break', start: at, end: at, page });
  }

  openTable(): void {
    this.builder.openTable();
  }

  openRow(): void {
    this.builder.openRow();
  }

  openCell(span: CellSpan = {}): void {
    this.builder.openCell(span);
  }

  closeCell(): void {
    this.builder.closeCell();
  }

  closeRow(): void {
    this.builder.closeRow();
  }

  closeTable(): void {
    this.builder.closeTable();
  }

  /** Whether a table is open; there the rules of cells hold. */
  get isInTable(): boolean {
    return this.builder.depth > 0;
  }

  /** Ends whatever is open. */
  finish(): void {
    while (this.builder.depth > 0) this.builder.closeTable();
    this.writer.end();
  }

  /** Of `TableSink`. */
  writeParagraph({ shape, text, marker }: FlowParagraph): void {
    if (shape.kind === 'heading') this.firstHeading ??= text.replace(/\s+/g, ' ').slice(0, 300);
    this.writer.begin({ ...shape, ...this.place }, marker);
    text.split('\n').forEach((line, index) => {
      if (index > 0) this.writer.lineBreak();
      for (const piece of piecesOf(line.trim())) this.writer.text(piece);
    });
    this.writer.end();
  }

  /** Of `TableSink`. */
  beginRows(): void {
    this.tables += 1;
    this.table = new RowWriter(this.writer, this.place);
  }

  /** Of `TableSink`. */
  writeRow(cells: readonly string[], row: number): void {
    this.table?.write(cells, row);
    this.rows += 1;
  }

  /** Of `TableSink`. */
  endRows(): void {
    this.table?.end();
    this.table = undefined;
  }
}

/** Cuts a long line behind spaces; without any, between characters. */
function* piecesOf(line: string): Generator<string> {
  let at = 0;
  while (line.length - at > PIECE_UNITS) {
    const space = line.lastIndexOf(' ', at + PIECE_UNITS);
    let end = space > at ? space + 1 : at + PIECE_UNITS;
    const last = line.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield line.slice(at, end);
    at = end;
  }
  yield line.slice(at);
}
