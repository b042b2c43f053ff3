import type { LayoutBlock, LayoutCell, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { joinOfParts } from '../../hyphens/divided-word.js';
import type { WordCounts } from '../../hyphens/word-counts.js';
import { linesOf } from './page-lines.js';

/** The two parts of a word at the end of a line and at the beginning of the next one. */
interface Parts {
  readonly before: string;
  readonly behind: string;
}

/** Kinds of blocks whose lines are one text. */
const FLOWING: ReadonlySet<string> = new Set(['paragraph', 'list_item', 'heading']);
const ENDS_DIVIDED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*)[-\u2010]$/u;
const BEGINS = /^[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*/u;
/** Longer parts of words are none, and more of them in one block are not looked for. */
const MAX_PART_UNITS = 100;
const MAX_PARTS = 500;
const IN_WORD = /^[\p{L}\p{N}]/u;
/** Points by which the rectangle of a block may miss its items. */
const TOLERANCE = 2;

/**
 * A page whose words are as they are written where no line ends. The reader takes each hyphen at the end of a line away where a small letter follows, and
 * leaves a space behind it otherwise.
 */
export function withWholeWords(page: ParsedPage, words: WordCounts): ParsedPage {
  const endings = page.textItems.filter((item) => endOf(item) !== undefined);
  if (endings.length === 0) return page;
  const [divided, items] = [new ItemsByHeight(endings), new ItemsByHeight(page.textItems)];
  const whole = <T extends LayoutBlock | LayoutCell>(part: T, bbox = part.bbox): T => {
    if (part.text === undefined || divided.within(bbox).length === 0) return part;
    const parts = dividedIn(items.within(bbox));
    return { ...part, text: mended(part.text, parts, words) };
  };
  const blocks = (page.blocks ?? []).map((block) => {
    if (FLOWING.has(block.kind)) return whole(block);
    if (block.kind !== 'table' || divided.within(block.bbox).length === 0) return block;
    const { header, rows = [] } = block;
    const all = header === undefined ? rows : [header, ...rows];
    const made = all.map((row, at) =>
      row.map((cell, column) => whole(cell, roomOf(cell, row[column + 1], all[at + 1], block))),
    );
    return header === undefined ? { ...block, rows: made } : { ...block, header: made[0], rows: made.slice(1) };
  });
  return { ...page, blocks };
}

/** The room of a cell, whose rectangle is that of its first line: up to the next cell and the next row, or the end of the table. */
function roomOf(
  { bbox }: LayoutCell,
  next: LayoutCell | undefined,
  below: readonly LayoutCell[] | undefined,
  table: LayoutBlock,
): Rect | undefined {
  if (bbox === undefined || table.bbox === undefined) return bbox;
  const right = next?.bbox?.x ?? table.bbox.x + table.bbox.width;
  const bottom = Math.min(...(below ?? []).flatMap((cell) => cell.bbox?.y ?? []), table.bbox.y + table.bbox.height);
  return { ...bbox, width: right - bbox.x, height: bottom - bbox.y - TOLERANCE };
}

/** Items in the order of their middles, so that a rectangle is compared with those at its height alone. */
class ItemsByHeight {
  private readonly sorted: readonly TextItem[];

  constructor(items: readonly TextItem[]) {
    this.sorted = items.toSorted((one, other) => middleOf(one) - middleOf(other));
  }

  within(bbox: Rect | undefined): TextItem[] {
    if (bbox === undefined) return [];
    const found: TextItem[] = [];
    const end = bbox.y + bbox.height + TOLERANCE;
    for (let at = this.firstFrom(bbox.y - TOLERANCE); at < this.sorted.length; at += 1) {
      const item = this.sorted[at]!;
      if (middleOf(item) > end) break;
      const centre = item.x + item.width / 2;
      if (centre >= bbox.x - TOLERANCE && centre <= bbox.x + bbox.width + TOLERANCE) found.push(item);
    }
    return found;
  }

  private firstFrom(y: number): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const at = (low + high) >> 1;
      if (middleOf(this.sorted[at]!) < y) low = at + 1;
      else high = at;
    }
    return low;
  }
}

function middleOf({ y, height }: TextItem): number {
  return y + height / 2;
}

/** The part of a word that an item ends within. */
function endOf({ text }: TextItem): string | undefined {
  const end = text.trimEnd();
  if (!end.endsWith('-') && !end.endsWith('\u2010')) return undefined;
  return ENDS_DIVIDED.exec(end.slice(-MAX_PART_UNITS))?.[1];
}

/** The words that the lines of a block end within, from top to bottom. */
function dividedIn(items: readonly TextItem[]): Parts[] {
  const lines = linesOf(items.filter(({ text }) => text.trim() !== ''));
  return lines.flatMap((line, at) => {
    const before = endOf(line.at(-1)!);
    const behind = BEGINS.exec((lines[at + 1]?.[0]?.text.trimStart() ?? '').slice(0, MAX_PART_UNITS))?.[0];
    return before === undefined || behind === undefined ? [] : [{ before, behind }];
  });
}

/** The text with each of these words in place of what the reader made of it. */
function mended(text: string, parts: readonly Parts[], words: WordCounts): string {
  let [done, rest] = ['', text];
  for (const { before, behind } of parts.slice(0, MAX_PARTS)) {
    const found = ['', '- ', '-', '\u2010 ', '\u2010']
      .map((gap) => ({ made: before + gap + behind, at: placeOf(rest, before + gap + behind) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at)[0];
    if (found === undefined) continue;
    const { at, made } = found;
    done += rest.slice(0, at) + before + joinOfParts(before, behind, words) + behind;
    rest = rest.slice(at + made.length);
  }
  return done + rest;
}

/** Where words stand in a text, not within others; -1: nowhere. */
function placeOf(text: string, words: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const end = at + words.length;
    if (!IN_WORD.test(text.slice(Math.max(at - 1, 0), at)) && !IN_WORD.test(text.slice(end, end + 1))) return at;
  }
  return -1;
}
