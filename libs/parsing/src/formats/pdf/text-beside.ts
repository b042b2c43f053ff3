import type { LayoutBlock, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { bare } from './page-text.js';
import { inView, isAtAngle, type Turn } from './turned-pages.js';

/** Text of a page that is not upright as the rest is: labels of axes, notes in the margin, marks across the page. */
export interface TextBeside {
  readonly items: readonly TextItem[];
  /** Its angle to the rest where most of it has one of 90, 180 or 270 degrees. */
  readonly turn: Turn | undefined;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Of one page: items that are looked at, and letters that they are looked for in. */
const MOST_ITEMS = 2_000;
const MOST_LETTERS = 20_000;
const RIGHT_ANGLES: readonly Turn[] = [90, 180, 270];

/** Finds text beside the rest that the layout blocks of the page leave out. Linear in the page. */
export function textBeside(page: ParsedPage): TextBeside | undefined {
  const others = page.textItems.filter((item) => !isAtAngle(item, 0)).slice(0, MOST_ITEMS);
  if (others.length === 0) return undefined;
  const left = new Map<string, number>();
  for (const word of (page.blocks ?? []).flatMap(wordsOfBlock)) left.set(word, (left.get(word) ?? 0) + 1);
  const take = (word: string): void => void left.set(word, (left.get(word) ?? 0) - 1);
  for (const item of page.textItems) if (isAtAngle(item, 0)) wordsOf(item.text).forEach(take);
  const items = others.filter(({ text }) => {
    const words = wordsOf(text);
    const isRead = words.every((word) => (left.get(word) ?? 0) > 0);
    if (isRead) words.forEach(take);
    return !isRead;
  });
  if (items.length === 0) return undefined;
  const counts = RIGHT_ANGLES.map((turn) => ({ turn, count: items.filter((item) => isAtAngle(item, turn)).length }));
  const most = counts.toSorted((one, other) => other.count - one.count)[0]!;
  return { items, turn: most.count > 0 ? most.turn : undefined };
}

/** Blocks of the text beside the rest; `turned` is the page with most of it upright. */
export function blocksBeside({ items, turn }: TextBeside, turned: ParsedPage | undefined): LayoutBlock[] {
  if (turn === undefined || turned === undefined) return items.map(paragraphOf);
  const lacking = new Set(items.flatMap(({ text }) => wordsOf(text)).concat(items.map(({ text }) => bare(text))));
  const found = (turned.blocks ?? []).flatMap((block) => {
    const words = wordsOf(block.text ?? '');
    // A reading that is upright parts words otherwise.
    const known = words.filter((word) => lacking.has(word)).length;
    const isBeside = words.length > 0 && (known * 2 >= words.length || lacking.has(bare(block.text ?? '')));
    return block.kind === 'table' || !isBeside ? [] : [{ ...block, bbox: viewed(block.bbox, turn, turned) }];
  });
  const said = new Set(found.flatMap(({ text = '' }) => wordsOf(text)));
  const letters = bare(found.map(({ text = '' }) => text).join('')).slice(0, MOST_LETTERS);
  // Without the spaces that its reading has within words, too.
  const isSaid = ({ text }: TextItem): boolean =>
    wordsOf(text).every((word) => said.has(word)) || letters.includes(bare(text));
  const rest = items.filter((item) => !(isAtAngle(item, turn) && isSaid(item)));
  return [...found.map(({ text, bbox }): LayoutBlock => ({ kind: 'paragraph', text, bbox })), ...rest.map(paragraphOf)];
}

/** Blocks of a page with others between them, by their height; those neither begin nor end it where sentences may go on over its edges. */
export function withBeside(blocks: readonly LayoutBlock[], others: readonly LayoutBlock[]): LayoutBlock[] {
  const waiting = others.toSorted((one, other) => (one.bbox?.y ?? 0) - (other.bbox?.y ?? 0));
  let next = 0;
  const all = blocks.flatMap((block, at) => {
    const { bbox } = block;
    const from = next;
    const isLast = at === blocks.length - 1;
    while (at > 0 && next < waiting.length && (isLast || (bbox !== undefined && waiting[next]!.bbox!.y < bbox.y)))
      next += 1;
    return [...waiting.slice(from, next), block];
  });
  return [...all, ...waiting.slice(next)];
}

function paragraphOf({ text, x, y, width, height }: TextItem): LayoutBlock {
  return { kind: 'paragraph', text: text.trim(), bbox: { x, y, width, height } };
}

function viewed(bbox: Rect | undefined, turn: Turn, page: ParsedPage): Rect | undefined {
  if (bbox === undefined) return undefined;
  const { x, y, width, height } = bbox;
  const [left, top, right, bottom] = inView([x, y, x + width, y + height], turn, page);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function wordsOfBlock({ marker = '', text = '', lines = [], header = [], rows = [] }: LayoutBlock): string[] {
  const cells = [header, ...rows].flatMap((row) => row.map((cell) => cell.text));
  return [marker, text, ...lines, ...cells].flatMap(wordsOf);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
