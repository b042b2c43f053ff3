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
const ENDS_DIVIDED = /([\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*)[-\u2010]$/u;
const BEGINS = /^[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*/u;
/** Points by which the rectangle of a block may miss its items. */
const TOLERANCE = 2;

/**
 * A page whose words are as they are written where no line ends. The reader takes each hyphen at the end of a line away where a small letter follows, and
 * leaves a space behind it otherwise.
 */
export function withWholeWords(page: ParsedPage, words: WordCounts): ParsedPage {
  const divided = page.textItems.filter((item) => ENDS_DIVIDED.test(item.text.trimEnd()));
  if (divided.length === 0) return page;
  const whole = <T extends LayoutBlock | LayoutCell>(part: T, bbox = part.bbox): T => {
    if (part.text === undefined || !divided.some((item) => isIn(item, bbox))) return part;
    const parts = dividedIn(page.textItems.filter((item) => isIn(item, bbox)));
    return { ...part, text: mended(part.text, parts, words) };
  };
  const blocks = (page.blocks ?? []).map((block) => {
    if (FLOWING.has(block.kind)) return whole(block);
    if (block.kind !== 'table' || !divided.some((item) => isIn(item, block.bbox))) return block;
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

function isIn({ x, y, width, height }: TextItem, bbox: Rect | undefined): boolean {
  if (bbox === undefined) return false;
  const [centre, middle] = [x + width / 2, y + height / 2];
  return (
    centre >= bbox.x - TOLERANCE &&
    centre <= bbox.x + bbox.width + TOLERANCE &&
    middle >= bbox.y - TOLERANCE &&
    middle <= bbox.y + bbox.height + TOLERANCE
  );
}

/** The words that the lines of a block end within, from top to bottom. */
function dividedIn(items: readonly TextItem[]): Parts[] {
  const lines = linesOf(items.filter(({ text }) => text.trim() !== ''));
  return lines.flatMap((line, at) => {
    const before = ENDS_DIVIDED.exec(line.at(-1)!.text.trimEnd())?.[1];
    const behind = BEGINS.exec(lines[at + 1]?.[0]?.text.trimStart() ?? '')?.[0];
    return before === undefined || behind === undefined ? [] : [{ before, behind }];
  });
}

/** The text with each of these words in place of what the reader made of it. */
function mended(text: string, parts: readonly Parts[], words: WordCounts): string {
  let [done, rest] = ['', text];
  for (const { before, behind } of parts) {
    const found = ['', '- ', '-', '\u2010 ', '\u2010']
      .map((gap) => ({ made: before + gap + behind, at: rest.indexOf(before + gap + behind) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at)[0];
    if (found === undefined) continue;
    const { at, made } = found;
    done += rest.slice(0, at) + before + joinOfParts(before, behind, words) + behind;
    rest = rest.slice(at + made.length);
  }
  return done + rest;
}
