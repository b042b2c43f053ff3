import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
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
  const blocks = (page.blocks ?? []).map((block) => {
    if (!FLOWING.has(block.kind) || block.text === undefined || !divided.some((item) => isIn(item, block)))
      return block;
    const parts = dividedIn(page.textItems.filter((item) => isIn(item, block)));
    return { ...block, text: mended(block.text, parts, words) };
  });
  return { ...page, blocks };
}

function isIn({ x, y, width, height }: TextItem, { bbox }: LayoutBlock): boolean {
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
