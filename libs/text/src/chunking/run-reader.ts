import type { Block, BlockKind } from '../blocks/block.js';
import { isWhitespace } from '../language/characters.js';
import type { TextSegment } from './chunk.js';

/** A block as the chunker sees it: only blocks with text, text outside of blocks included, with what stands above it. */
export interface Run {
  kind: BlockKind;
  start: number;
  /** End of the block; of the last run it may lie beyond the text read so far. */
  end: number;
  headingPath: readonly string[];
  page: number | undefined;
  sheet: string | undefined;
  row: number | undefined;
  /** A page break stands between this run and the one before. */
  afterPageBreak: boolean;
}

/** A longer "heading" is treated as a paragraph: it is a parser's mistake, and must not be carried along by every chunk. */
const MAX_HEADING = 1_000;
const MAX_HEADING_TITLE = 200;

/** Text behind the reading position is dropped in pieces of at least this size. */
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
  private readonly headings: { level: number; title: string }[] = [];
  private headingPath: readonly string[] = [];
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
        this.takeGap(this.available);
        if (this.ready === before) return false;
      } else if (block.end <= this.ready) {
        this.nextIncoming++;
      } else if (block.start > this.ready) {
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

  /** Text that belongs to no block is a paragraph, unless it is white space. */
  private takeGap(to: number): void {
    let start = this.ready;
    this.ready = to;
    if (this.openGap !== undefined) {
      this.openGap.end = to;
      return;
    }
    while (start < to && isWhitespace(this.text.charCodeAt(start - this.base))) start++;
    if (start < to) this.openGap = this.push('paragraph', start, to, undefined);
  }

  private takeBlock(block: Block): boolean {
    const start = this.ready;
    this.openGap = undefined;
    if (block.kind === 'page_break') {
      this.pageBreakPending = true;
      if (block.end > this.available && !this.exhausted) return false;
      this.nextIncoming++;
      this.ready = Math.min(block.end, this.available);
      return true;
    }
    const isHeading = block.kind === 'heading' && block.end - start <= MAX_HEADING;
    if (isHeading && block.end > this.available && !this.exhausted) return false;
    this.nextIncoming++;
    if (isHeading) this.enterHeading(block, start);
    if (block.page !== undefined) this.page = block.page;
    this.sheet = block.sheet;
    const kind = block.kind === 'heading' && !isHeading ? 'paragraph' : block.kind;
    this.push(kind, start, block.end, block.row);
    return true;
  }

  private push(kind: BlockKind, start: number, end: number, row: number | undefined): Run {
    const { headingPath, page, sheet, pageBreakPending: afterPageBreak } = this;
    const run: Run = { kind, start, end, headingPath, page, sheet, row, afterPageBreak };
    this.runs.push(run);
    this.pageBreakPending = false;
    return run;
  }

  private enterHeading(block: Block, start: number): void {
    const level = block.level ?? 1;
    while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop();
    const title = headingTitle(this.text.slice(start - this.base, block.end - this.base));
    if (title !== '') this.headings.push({ level, title });
    this.headingPath = this.headings.map((heading) => heading.title);
  }
}

/** The words of a heading without Markdown's `#`, underlines and line breaks. */
function headingTitle(text: string): string {
  return text
    .replace(/\n[=-]+\s*$/, '')
    .replace(/^\s*#{1,6}(?=\s)/, '')
    .replace(/\s#+\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_HEADING_TITLE)
    .replace(/[\ud800-\udbff]$/, '');
}
