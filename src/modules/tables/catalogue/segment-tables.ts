import type { RawRow } from '#libs/tabular';
import type { Block, TextSegment } from '#libs/text';

/** A table where it begins in the canonical text. */
export interface FoundTable {
  /** Place among all tables of the text, from 0. */
  readonly index: number;
  readonly sheet: string | null;
  readonly page: number | null;
  /** The caption above it, else the heading that it is under. */
  readonly title: string | null;
  /** Number of leading rows that the file marks as header: 0 when it marks that there is none, null when it marks nothing. */
  readonly markedRows: number | null;
}

export interface FoundRow extends RawRow {
  readonly table: FoundTable;
  /** Where its line is in the canonical text, without the line break; UTF-16 code units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

const MAX_TITLE_UNITS = 200;
const DELIMITER = /^[ \t|:-]*-[ \t|:-]*\r?$/;

/**
 * The rows of all tables of a canonical text, piece by piece. A table ends where another block begins, and where rows do not follow
 * each other. Rows of Markdown lose the marks of emphasis; the line between its header and its rows is none.
 */
export async function* rowsOfSegments(segments: AsyncIterable<TextSegment>): AsyncGenerator<readonly FoundRow[]> {
  const reader = new SegmentTables();
  for await (const segment of segments) yield reader.take(segment);
}

interface OpenTable {
  readonly table: FoundTable;
  nextRow: number;
  readonly isMarkdown: boolean;
}

class SegmentTables {
  private found = 0;
  private open: OpenTable | undefined;
  /** The last table before what is between it and the rows that go on with it: a foot and a running head. */
  private above: OpenTable | undefined;
  private heading: string | null = null;
  private caption: string | null = null;
  /** A block that ends in a later segment, with what is there of it. */
  private cut: { block: Block; text: string } | undefined;

  take({ start, text, blocks }: TextSegment): FoundRow[] {
    const rows = this.takeCut(start, text);
    for (const block of blocks) {
      const content = text.slice(block.start - start, block.end - start);
      if (block.end > start + text.length) this.cut = { block, text: content };
      else rows.push(...this.takeBlock(block, content));
    }
    return rows;
  }

  private takeCut(start: number, text: string): FoundRow[] {
    const { cut } = this;
    if (cut === undefined) return [];
    cut.text += text.slice(0, cut.block.end - start);
    if (cut.block.end > start + text.length) return [];
    this.cut = undefined;
    return this.takeBlock(cut.block, cut.text);
  }

  private takeBlock(block: Block, content: string): FoundRow[] {
    if (block.kind === 'table') return this.takeTable(block, content.split('\n'));
    this.takeOther(block, content);
    return [];
  }

  private takeOther({ kind }: Block, content: string): void {
    if (kind === 'page_break') return;
    this.above = this.open ?? this.above;
    this.open = undefined;
    if (kind === 'heading') this.heading = oneLine(content);
    this.caption = kind === 'caption' ? oneLine(content) : null;
  }

  private takeTable(block: Block, lines: readonly string[]): FoundRow[] {
    const first = block.row ?? 1;
    if (block.continues === true) this.open ??= this.above;
    if (!this.continues(block, first)) this.begin(block, lines);
    const open = this.open!;
    open.nextRow = first + lines.length;
    let next = block.start;
    return lines.flatMap((line, index) => {
      const start = next;
      next += line.length + 1;
      if (line === '' || (open.isMarkdown && DELIMITER.test(line))) return [];
      const cells = open.isMarkdown ? markdownCells(line) : line.split(' | ');
      const end = start + line.replace(/\r$/, '').length;
      return [{ table: open.table, row: first + index, cells, start, end }];
    });
  }

  private continues({ sheet, page, continues: isContinued }: Block, row: number): boolean {
    const { open } = this;
    if (open === undefined || row === 1 || row !== open.nextRow) return false;
    return isContinued === true || (open.table.sheet === (sheet ?? null) && open.table.page === (page ?? null));
  }

  private begin({ sheet, page, headerRows }: Block, lines: readonly string[]): void {
    const second = lines[1] ?? '';
    const isMarkdown = DELIMITER.test(second) && second.includes('|');
    const title = this.caption ?? this.heading;
    const markedRows = isMarkdown ? 1 : (headerRows ?? null);
    this.open = {
      table: { index: this.found, sheet: sheet ?? null, page: page ?? null, title, markedRows },
      nextRow: 0,
      isMarkdown,
    };
    this.found += 1;
    this.caption = null;
  }
}

/** Cells of a line of Markdown; `\|` is no border. */
function markdownCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => withoutMarks(cell.trim().replaceAll('\\|', '|')));
}

/** The words of a cell without emphasis, code marks and addresses of links. */
function withoutMarks(cell: string): string {
  if (!/[*_`[\]<~\\]/.test(cell)) return cell;
  return cell
    .replace(/!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.{1,500}?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*]{1,500})\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_]{1,500})_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/`([^`]{1,500})`/g, '$1')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/\\([*_`[\]])/g, '$1')
    .trim();
}

function oneLine(text: string): string {
  return text
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_UNITS)
    .replace(/[\ud800-\udbff]$/, '');
}
