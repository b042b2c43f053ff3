import type { LayoutBlock, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { boxAround } from './grid-cells.js';
import { linesOf } from './page-lines.js';
import { isAtAngle } from './turned-pages.js';

type Placed = LayoutBlock & { readonly bbox: Rect; readonly text: string };

const FLOWING: ReadonlySet<string> = new Set(['paragraph', 'list_item', 'heading']);
/** A page with more blocks or texts is looked at no further. */
const MOST_BLOCKS = 1_000;
const MOST_ITEMS = 5_000;
const TOLERANCE = 2;
/** How far the lines of an item may be behind its mark. */
const MOST_HANGING = 40;
/** From line to line of a paragraph, by the size of its type, and by the distance of its other lines. */
const MOST_LEADING = 1.45;
const SAME_LEADING = 1.15;
/** Of the size of type, a space between words. */
const SPACE = 0.25;
const MOST_WORD = 30;
/** Letters of a line, from which on one that goes on with a capital or a number is a sentence and no label. */
const LEAST_LINE = 40;
const ENDED = /[.!?:;…。！？：；][\s"'”’»«)\]）」』*]*$/u;
const MARKED = /^\W*(?:[•‣▪◦·*–—-]|\(?\p{N}{1,3}[.)]|\(?\p{L}[.)])\s/u;
const SMALL = /^\W*\p{Ll}/u;
const DIVIDED = /(?<=\p{L})-$/u;

/**
 * A page whose paragraphs are whole. The layout begins one wherever the type of a line is another than that of the line before, and takes a line for bold
 * that only begins so: two such paragraphs are one where the first ends within a sentence, in a line that had no room for the next word.
 */
export function withWholeParagraphs(page: ParsedPage): ParsedPage {
  const { blocks = [] } = page;
  if (blocks.length > MOST_BLOCKS || page.textItems.length > MOST_ITEMS) return page;
  const items = page.textItems.filter((item) => isAtAngle(item, 0) && item.text.trim() !== '');
  const whole: LayoutBlock[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (last !== undefined && isFlowing(last) && isFlowing(block) && goesOn(last, block, items, blocks)) {
      whole[whole.length - 1] = joined(last, block);
    } else whole.push(block);
  }
  return whole.length === blocks.length ? page : { ...page, blocks: whole };
}

function isFlowing(block: LayoutBlock): block is Placed {
  return FLOWING.has(block.kind) && block.bbox !== undefined && !!block.text?.trim();
}

function goesOn(above: Placed, below: Placed, items: readonly TextItem[], blocks: readonly LayoutBlock[]): boolean {
  if (below.kind !== 'paragraph' || ENDED.test(above.text.trim()) || MARKED.test(below.text)) return false;
  // A line in bold type alone may be a heading; what goes on with a small letter is none.
  if (above.kind === 'heading' && !SMALL.test(below.text)) return false;
  const indent = below.bbox.x - above.bbox.x;
  if (indent < -TOLERANCE || indent > (above.kind === 'list_item' ? MOST_HANGING : TOLERANCE)) return false;
  const [before, behind] = [linesOf(itemsIn(items, above.bbox)), linesOf(itemsIn(items, below.bbox))];
  const [last, first] = [before.at(-1), behind[0]];
  if (last === undefined || first === undefined || !isOtherType(last, first)) return false;
  const isNext = distance(last, first) <= leadingOf(before, behind, first[0]!);
  return isNext && isFull(last, first[0]!, rightOf(above, below, blocks)) && isSentence(last, below.text);
}

/** Another font of the same size. */
function isOtherType(last: readonly TextItem[], first: readonly TextItem[]): boolean {
  const sizeOf = ({ fontSize, height }: TextItem): number => fontSize ?? height;
  const fontOf = ({ fontName, fontWeight }: TextItem): string => `${fontName ?? ''} ${fontWeight ?? ''}`;
  const [one, other] = [last[0]!, first[0]!];
  return Math.abs(sizeOf(one) - sizeOf(other)) < 0.3 && last.concat(first).some((item) => fontOf(item) !== fontOf(one));
}

function leadingOf(before: readonly TextItem[][], behind: readonly TextItem[][], item: TextItem): number {
  const known = [before, behind].flatMap((lines) => lines.slice(1).map((line, at) => distance(lines[at]!, line)));
  return known.length > 0 ? Math.min(...known) * SAME_LEADING : (item.fontSize ?? item.height) * MOST_LEADING;
}

function distance(one: readonly TextItem[], other: readonly TextItem[]): number {
  return bottomOf(other) - bottomOf(one);
}

/** Bold type is higher than other type upon the same line. */
function bottomOf(line: readonly TextItem[]): number {
  return Math.max(...line.map(({ y, height }) => y + height));
}

/** Whether the first word of the next line had no room on a line. */
function isFull(line: readonly TextItem[], next: TextItem, right: number): boolean {
  const [word = ''] = next.text.trim().split(/\s+/);
  // A longer one, an address of a page, is on a line of its own anywhere.
  if (word.length > MOST_WORD) return false;
  const width = (next.width * word.length) / Math.max(1, next.text.trim().length);
  const end = Math.max(...line.map((item) => item.x + item.width));
  return end + (next.fontSize ?? next.height) * SPACE + width > right - 1;
}

/** The right edge of the text that begins where these paragraphs do. */
function rightOf(above: Placed, below: Placed, blocks: readonly LayoutBlock[]): number {
  const rights = blocks.flatMap((block) => {
    if (!isFlowing(block) || (block.kind === 'heading' && block !== above)) return [];
    const isInColumn = [above, below].some(({ bbox }) => Math.abs(block.bbox.x - bbox.x) <= TOLERANCE);
    return isInColumn ? block.bbox.x + block.bbox.width : [];
  });
  return Math.max(...rights);
}

function isSentence(last: readonly TextItem[], next: string): boolean {
  return SMALL.test(next) || last.map(({ text }) => text).join(' ').length >= LEAST_LINE;
}

function joined(above: Placed, below: Placed): LayoutBlock {
  const [before, behind] = [above.text.trimEnd(), below.text.trimStart()];
  const text = DIVIDED.test(before) && SMALL.test(behind) ? before.slice(0, -1) + behind : `${before} ${behind}`;
  const kind = above.kind === 'heading' ? 'paragraph' : above.kind;
  return { ...above, kind, text, bbox: boxAround([above.bbox, below.bbox]) };
}

function itemsIn(items: readonly TextItem[], { x, y, width, height }: Rect): TextItem[] {
  return items.filter((item) => {
    const [across, down] = [item.x + item.width / 2, item.y + item.height / 2];
    return across >= x - TOLERANCE && across <= x + width + TOLERANCE && down >= y && down <= y + height;
  });
}
