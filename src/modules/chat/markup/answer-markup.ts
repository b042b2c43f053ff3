import type { Marker } from '#libs/answering';
import { blocksOf, isBlank, itemsOf, separatorOf, writeBlock, type Block } from './blocks.js';
import { writePlain } from './leaf.js';
import type { Reading } from './leaf-parts.js';
import { AllowedLinks, type LinkPolicy } from './link-policy.js';
import { createParser, type Token } from './parser.js';
import { beginsParagraph, plainBeginning } from './plain-beginning.js';
import type { Written } from './written.js';

/** Up to this length an open block is looked at with every line; a longer one when it has grown by so much. */
const ALWAYS_READ = 4_000;
const LOOK_AGAIN = 1.5;
/** So much of a line tells whether it begins a paragraph. */
const MAX_BEGINNING = 200;

/** Writes answers again in a subset of Markdown that no renderer makes more of than text, structure and links that are allowed. */
export class AnswerMarkup {
  private readonly links: AllowedLinks;
  private readonly parse: (markdown: string) => Token[];

  constructor(policy: LinkPolicy) {
    this.links = new AllowedLinks(policy);
    this.parse = createParser(this.links);
  }

  /** For one answer, as it arrives. @param numbers the numbers that its markers may have; others are taken out. */
  open(numbers: readonly number[]): AnswerRewriter {
    return new AnswerRewriter(this.parse, { links: this.links, numbers: new Set(numbers) });
  }

  /** A text that is no Markdown, in one line, so that it shows as it is; markers in it are text. */
  escape(text: string): string {
    return writePlain(text, { links: this.links, numbers: null }, 'plain').text;
  }
}

/**
 * One answer, parsed and written again while it arrives: each block when it is whole, and of an open paragraph the beginning that is nothing
 * but words. However the answer is cut into pieces, the result is the same.
 */
export class AnswerRewriter {
  /** Markers in order, with offsets in what was given out. */
  readonly markers: Marker[] = [];
  /** Markers that named no source and were taken out. */
  removedMarkers = 0;
  /** Links, images, addresses and tags that are shown as text. */
  shownAsText = 0;
  /** Of the first block that is not given out as a whole the words that are; so much of its source is there as it is. */
  private begun = '';
  /** The source behind that. */
  private rest = '';
  /** Whether no more words of the block can be given out before it is whole. */
  private isHeld = false;
  /** A carriage return at the end of the last piece. */
  private heldReturn = '';
  private last: Block['kind'] | undefined;
  private hasGap = false;
  private length = 0;
  /** How long the source of the block must be to be looked at again. */
  private nextLook = 0;
  private hasNewLine = false;

  constructor(
    private readonly parse: (markdown: string) => Token[],
    private readonly reading: Reading,
  ) {}

  /** Takes the next piece and gives out the text that can no longer change; it may be empty. */
  push(piece: string): string {
    const text = this.heldReturn + piece;
    this.heldReturn = text.endsWith('\r') ? '\r' : '';
    const added = text.slice(0, text.length - this.heldReturn.length).replace(/\r\n?/g, '\n');
    this.rest += added;
    this.hasNewLine ||= added.includes('\n');
    // A long text that is added to is left alone as long as nothing of it can be given out.
    if (this.isHeld && (!this.hasNewLine || this.rest.length < this.nextLook)) return '';
    return this.releaseWhole() + this.releaseBeginning();
  }

  /** The rest, when no more pieces come. */
  flush(): string {
    const spaces = /\S([ \t]+)$/.exec(this.begun.slice(-MAX_BEGINNING) + this.rest)?.[1] ?? '';
    return this.releaseBlocks(this.begun + this.rest, true) + this.count(spaces);
  }

  /** The blocks that are whole, by the lines that are. */
  private releaseWhole(): string {
    this.skipEmptyLines();
    if (!this.hasNewLine || this.begun.length + this.rest.length < this.nextLook) return '';
    const source = this.begun + this.rest;
    const end = source.lastIndexOf('\n') + 1;
    const line = source.slice(end);
    const isBehindGap = isBlank(source.slice(source.lastIndexOf('\n', end - 2) + 1, end));
    const isCertain = isBehindGap && beginsParagraph(line);
    // Whether a line that has just begun is a block of its own is known later, with its first word or with its end.
    this.hasNewLine = isBehindGap && !isCertain && line.length < MAX_BEGINNING;
    return this.releaseBlocks(isCertain ? source : source.slice(0, end), false);
  }

  private releaseBlocks(text: string, isEnd: boolean): string {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const blocks = blocksOf(this.parse(text), lines).flatMap((block) =>
      block.kind === 'list' ? itemsOf(block, lines) : [block],
    );
    const last = blocks.at(-1);
    const whole = isEnd || (last !== undefined && isWhole(last, lines)) ? blocks : blocks.slice(0, -1);
    if (whole.length === 0) {
      this.nextLook = text.length < ALWAYS_READ ? 0 : text.length * LOOK_AGAIN;
      return '';
    }
    const used = lines.slice(0, whole.at(-1)!.to).reduce((sum, line) => sum + line.length + 1, 0);
    this.rest = (this.begun + this.rest).slice(used);
    const out = whole.map((block) => this.release(block, lines)).join('');
    [this.isHeld, this.nextLook, this.hasGap] = [false, 0, false];
    this.skipEmptyLines();
    return out;
  }

  private release(block: Block, lines: readonly string[]): string {
    const written = writeBlock(block, lines, this.reading);
    const hasGap = block.from > 0 ? isBlank(lines[block.from - 1]) : this.hasGap;
    return this.give(written, block.kind, hasGap);
  }

  private give(written: Written, kind: Block['kind'], hasGap: boolean): string {
    const begun = this.begun.length;
    this.begun = '';
    this.removedMarkers += written.removed;
    this.shownAsText += written.shown;
    if (written.text === '') return '';
    const separator = begun > 0 ? '' : this.separator({ kind }, hasGap);
    const start = this.length + separator.length - begun;
    for (const marker of written.markers)
      this.markers.push({ ...marker, start: start + marker.start, end: start + marker.end });
    this.last = kind;
    return this.count(separator + written.text.slice(begun));
  }

  private separator(block: Pick<Block, 'kind'>, hasGap: boolean): string {
    return this.last === undefined ? '' : separatorOf({ kind: this.last }, block, hasGap);
  }

  /** Of an open paragraph the words that are written as they are, whatever follows. */
  private releaseBeginning(): string {
    if (this.isHeld || (this.begun === '' && !this.isParagraph())) return '';
    const { length, isHeld } = plainBeginning(this.rest, this.reading.numbers!);
    this.isHeld = isHeld || /^[^\S\n]*\n/.test(this.rest.slice(length));
    if (length === 0) return '';
    const separator = this.begun === '' ? this.separator({ kind: 'paragraph' }, this.hasGap) : '';
    const words = this.rest.slice(0, length);
    this.begun += words;
    this.rest = this.rest.slice(length);
    return this.count(separator + words);
  }

  /** Whether the block is known to be a paragraph; one that is known to be none is held. */
  private isParagraph(): boolean {
    if (beginsParagraph(this.rest)) return true;
    this.isHeld = /\s/.test(this.rest.slice(0, MAX_BEGINNING)) || this.rest.length > MAX_BEGINNING;
    return false;
  }

  private count(out: string): string {
    this.length += out.length;
    return out;
  }

  private skipEmptyLines(): void {
    if (this.begun !== '' || this.isHeld) return;
    const [empty] = /^(?:[ \t]*\n)*/.exec(this.rest)!;
    if (empty === '') return;
    this.hasGap = true;
    this.rest = this.rest.slice(empty.length);
  }
}

/** Whether the last block so far cannot go on. */
function isWhole({ kind, from, to, tokens }: Block, lines: readonly string[]): boolean {
  const isFollowed = to < lines.length && isBlank(lines[to]);
  switch (kind) {
    case 'heading':
    case 'rule':
      return true;
    case 'paragraph':
    case 'table':
      return isFollowed;
    case 'code': {
      const { markup } = tokens[0]!;
      const end = lines[to - 1]!.trim();
      return markup !== '' && to - from > 1 && end.startsWith(markup) && end === markup[0]!.repeat(end.length);
    }
    default:
      return false;
  }
}
