import type { Block, BlockKind } from '../blocks/block.js';
import { isWhitespace } from '../language/characters.js';
import type { TextSegment } from './chunk.js';
import { HeadingPath, marksAfter, marksBefore, MAX_MARKS } from './heading-marks.js';
import { introductionOf, type Run } from './run.js';
import { MAX_TABLE_HEAD, readTableHead, rowsEnd, type TableHead } from './table-head.js';

/** A longer "heading" is treated as a paragraph: it is a parser's mistake, and must not be carried along by every chunk. */
const MAX_HEADING = 1_000;

/** Text behind the reading position is dropped in such pieces at least. */
const DISCARD_STEP = 1 << 13;

/**
 * A window on the canonical text that moves forward over the segments, and the runs in it. Offsets are those of the canonical
 * text. It holds what lies between `discardBefore` and `ensure`, and one segment more.
 */
export class RunReader {
  /** Text of the window; its first character has the offset `base`. */
  text = '';
  base = 0;
  /** Runs that end after the last `discardBefore`, in order. */
  runs: Run[] = [];
  /** Up to here the text and its runs are known. */
  ready = 0;
  private readonly segments: AsyncIterator<TextSegment> | Iterator<TextSegment>;
  private incoming: readonly Block[] = [];
  private nextIncoming = 0;
  private exhausted = false;
  private started = false;
  private pageBreakPending = false;
  /** The run of text outside of blocks that the next such text continues. */
  private openGap: Run | undefined;
  private readonly headings = new HeadingPath();
  /** The last heading, while marks of it may follow. */
  private lastHeading: Run | undefined;
  /** Of the table above, which may go on upon the next page. */
  private lastTable: TableHead | undefined;
  private page: number | undefined;
  private sheet: string | undefined;

  constructor(source: AsyncIterable<TextSegment> | Iterable<TextSegment>) {
    this.segments = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** True when `ready` is the end of the document. */
  get atEnd(): boolean {
    return this.exhausted && this.ready === this.available;
  }

  private get available(): number {
    return this.base + this.text.length;
  }

  /** Reads on until text and runs are known up to `offset`, or to the end of the document. */
  async ensure(offset: number): Promise<void> {
    while (this.ready < offset && !this.atEnd) {
      if (!this.takeRuns(offset)) await this.pull();
    }
  }

  /** Forgets text and runs before `offset`; the offset itself stays readable. */
  discardBefore(offset: number): void {
    const firstLive = this.runs.findIndex((run) => run.end > offset);
    if (firstLive !== 0) this.runs.splice(0, firstLive < 0 ? this.runs.length : firstLive);
    if (firstLive < 0) this.openGap = undefined;
    if (offset - this.base < DISCARD_STEP) return;
    this.text = this.text.slice(offset - this.base);
    this.base = offset;
  }

  /** Ends the source early, so that a reader that stops does not leave a file open. */
  async close(): Promise<void> {
    if (!this.exhausted) await this.segments.return?.();
  }

  private async pull(): Promise<void> {
    const next = await this.segments.next();
    if (next.done === true) {
      this.exhausted = true;
      return;
    }
    const segment = next.value;
    if (!this.started) {
      this.base = this.ready = segment.start;
      this.started = true;
    }
    if (segment.start !== this.available) {
      throw new RangeError(`text segment starts at ${segment.start}, expected ${this.available}`);
    }
    this.text += segment.text;
    const waiting = this.incoming.slice(this.nextIncoming);
    this.incoming = waiting.length === 0 ? segment.blocks : waiting.concat(segment.blocks);
    this.nextIncoming = 0;
  }

  /** Turns known blocks into runs up to `offset`; false when more text has to be read first. */
  private takeRuns(offset: number): boolean {
    while (this.ready < offset) {
      const block = this.incoming[this.nextIncoming];
      const last = this.runs.at(-1);
      if (last !== undefined && last.end > this.ready) {
        this.ready = Math.min(last.end, this.available);
        if (this.ready < last.end) return this.exhausted && this.closeLast(last);
      } else if (block === undefined || block.start >= this.available) {
        const before = this.ready;
        if (!this.takeMarks(this.available)) return false;
        this.takeGap(this.available);
        if (this.ready === before) return false;
      } else if (block.end <= this.ready) {
        this.nextIncoming++;
      } else if (block.start > this.ready) {
        if (!this.takeMarks(block.start)) return false;
        this.takeGap(block.start);
      } else if (!this.takeBlock(block)) {
        return false;
      }
    }
    return true;
  }

  /** A block that claims to reach beyond the document ends with it. */
  private closeLast(last: Run): boolean {
    last.end = this.ready;
    return false;
  }

  /** Closing marks and the underline of a heading belong to it; false when more text must be read to know them. */
  private takeMarks(to: number): boolean {
    const heading = this.lastHeading;
    if (heading === undefined || this.ready !== heading.end) return true;
    const isAll = this.exhausted || to < this.available;
    const marks = marksAfter(
      this.text.slice(this.ready - this.base, Math.min(to - this.base, this.ready - this.base + MAX_MARKS)),
      isAll,
    );
    if (marks === undefined) return false;
    this.lastHeading = undefined;
    heading.end += marks;
    this.ready = heading.end;
    return true;
  }

  /** Text that belongs to no block is a paragraph, unless it is white space. */
  private takeGap(to: number): void {
    let start = this.ready;
    this.ready = to;
    if (this.openGap !== undefined) {
      this.openGap.end = to;
      return;
    }
    while (start < to && isWhitespace(this.text.charCodeAt(start - this.base))) start++;
    if (start < to) this.openGap = this.push('paragraph', start, to);
  }

  /** False when more text has to be read first. */
  private takeBlock(block: Block): boolean {
    if (!this.knows(block)) return false;
    this.nextIncoming++;
    if (block.kind === 'page_break') {
      this.pageBreakPending = true;
      this.openGap = undefined;
      this.ready = Math.min(block.end, this.available);
      return true;
    }
    const isHeading = isShortHeading(block, this.ready);
    const start = isHeading ? this.absorbMarks() : this.ready;
    if (isHeading)
      this.headings.enter(block.level ?? 1, this.text.slice(this.ready - this.base, block.end - this.base));
    this.openGap = undefined;
    if (block.page !== undefined) this.page = block.page;
    if (this.extendTable(block)) return true;
    this.sheet = block.sheet;
    const kind = block.kind === 'heading' && !isHeading ? 'paragraph' : block.kind;
    const run = this.push(kind, start, block.end, block);
    if (isHeading) this.lastHeading = run;
    return true;
  }

  /** Whether so much of the block's text is there as must be seen to take it. */
  private knows(block: Block): boolean {
    if (this.exhausted) return true;
    if (block.kind === 'table') return this.ready + MAX_TABLE_HEAD <= this.available;
    return block.end <= this.available || !(block.kind === 'page_break' || isShortHeading(block, this.ready));
  }

  /** Start of the heading at `ready` with the marks before it, which are taken away from the text above. */
  private absorbMarks(): number {
    const gap = this.openGap;
    if (gap === undefined || gap.end !== this.ready) return this.ready;
    const marks = marksBefore(this.text.slice(Math.max(0, gap.start - this.base), this.ready - this.base));
    if (marks === 0) return this.ready;
    gap.end = this.ready - marks;
    if (this.runs.at(-1) === gap && gap.start >= gap.end) {
      this.runs.pop();
      this.pageBreakPending = gap.afterPageBreak;
    }
    return this.ready - marks;
  }

  /** The next rows of the last table, when they follow on the next line, make it longer. */
  private extendTable(block: Block): boolean {
    const last = this.runs.at(-1);
    if (block.kind !== 'table' || last?.kind !== 'table' || block.row === undefined || last.row === undefined)
      return false;
    const between = this.text.slice(Math.max(0, last.end - this.base), this.ready - this.base);
    const follows = block.row > last.row && last.sheet === block.sheet && /^[ \t\r]*\n?$/.test(between);
    if (!follows || this.pageBreakPending || last.page !== this.page) return false;
    last.end = block.end;
    return true;
  }

  /** A table may be one block a row: its head is told by the lines that follow each other. */
  private headOf(start: number, end: number, block: Block | undefined): TableHead {
    const above = this.lastTable;
    if (block?.continues === true && above !== undefined) {
      return { header: above.header, bodyStart: start, delimiter: { start, end: start } };
    }
    const from = start - this.base;
    const sight = this.text.slice(from, from + MAX_TABLE_HEAD);
    const own = end - start;
    const border = own < sight.length ? rowsEnd(sight, own) : sight.length;
    return readTableHead(sight.slice(0, border), start, block?.headerRows, border === MAX_TABLE_HEAD);
  }

  private push(kind: BlockKind, start: number, end: number, block?: Block): Run {
    const { page, sheet, pageBreakPending: afterPageBreak } = this;
    const { row } = block ?? {};
    const headingPath = this.headings.titles;
    const table = kind === 'table' ? this.headOf(start, end, block) : undefined;
    this.lastTable = table ?? this.lastTable;
    const introduction = kind === 'list_item' ? introductionOf(this.runs.at(-1), this) : undefined;
    const run: Run = { kind, start, end, headingPath, page, sheet, row, table, introduction, afterPageBreak };
    this.runs.push(run);
    this.pageBreakPending = false;
    return run;
  }
}

function isShortHeading(block: Block, start: number): boolean {
  return block.kind === 'heading' && block.end - start <= MAX_HEADING;
}
