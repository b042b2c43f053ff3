import type { LayoutBlock, ParsedPage, Rect, TextItem, WordBox } from '@llamaindex/liteparse';
import type { ReadablePage } from './unmapped-text.js';

/** A character, or a few beside each other, in a column. */
interface Glyph extends Rect {
  readonly text: string;
}

interface Column {
  readonly glyphs: Glyph[];
  readonly x: number;
  readonly size: number;
}

const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Forms of marks for vertical text, which mean the same as the usual ones. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe44\ufe47\ufe48]/gu;
const LEAST_CHARACTERS = 10;
/** By the size of the type: characters of one line that are in different columns. */
const WIDE_CHARACTERS = 1.25;
/** A character that is wider was measured by a font that does not have it; then others are lost without a trace. */
const WIDEST_CHARACTER = 1.25;
/** Characters of a column are closer than those of a line. */
const CLOSER = 0.92;
/** By the size of the type: how far middles of one column differ, where a column is indented, and the space between two tiers. */
const SAME_COLUMN = 0.6;
const INDENT = 0.7;
const TIER_GAP = 2;
/** Columns further apart than most of their page begin something new, and so does another size. */
const WIDE_GAP = 1.6;
const OTHER_SIZE = 1.2;

/** Whether a page may be set in columns from top to bottom: most of its Chinese and Japanese characters are alone, or further apart than they are wide. */
export function maybeVertical({ textItems }: Pick<ParsedPage, 'textItems'>): boolean {
  let [all, apart] = [0, 0];
  for (const { text, width, fontSize = Infinity } of textItems) {
    const count = text.match(EASTERN)?.length ?? 0;
    all += count;
    const isSingle = text
      .trim()
      .split(/\s+/)
      .every((word) => [...word].length === 1);
    if (isSingle || width >= count * fontSize * WIDE_CHARACTERS) apart += count;
  }
  return all >= LEAST_CHARACTERS && apart * 2 > all;
}

/** What vertical text says; `lost` where it is vertical and cannot be read whole. */
export type ColumnReading =
  { readonly kind: 'read'; readonly blocks: LayoutBlock[] } | { readonly kind: 'lost' | 'horizontal' };

/** Reads a page whose items tell the place of each character (`words`), column by column from the right, tier by tier from the top. */
export function readColumns(items: readonly TextItem[]): ColumnReading {
  const words = items
    .filter(({ text }) => isEastern(text) || /^\S{1,4}$/.test(text.trim()))
    .flatMap((item) => (item.words ?? []).map((word) => ({ ...word, size: item.fontSize ?? word.height })));
  const glyphs = words.filter(({ text }) => [...text].length === 1 && isEastern(text));
  const size = median(glyphs.map((glyph) => glyph.size));
  const [down, across] = [median(distances(glyphs, 'y')), median(distances(glyphs, 'x'))];
  if (glyphs.length < LEAST_CHARACTERS || !(down < across * CLOSER)) return { kind: 'horizontal' };
  if (median(glyphs.map(({ width, size: own }) => width / own)) > WIDEST_CHARACTER) return { kind: 'lost' };
  const columns = columnsOf(words.filter(({ width, size: own }) => width <= own * 2));
  const set = columns.filter((column) => column.glyphs.some(({ text }) => isEastern(text)));
  const placed = new Set<string>(set.flatMap((column) => column.glyphs.map(placeOf)));
  const rest = items.filter((item) => (item.words ?? []).every((word) => !placed.has(placeOf(word))));
  const blocks = tiersOf(set, size).flatMap((tier) => paragraphsOf(tier, size));
  return { kind: 'read', blocks: [...blocks, ...rest.map(({ text, ...box }) => paragraph(text, [{ ...box, text }]))] };
}

/** A page that may be vertical, with its columns for blocks where it is; `readWords` gives its items with the places of their words. */
export async function inColumns(
  read: ReadablePage,
  readWords: (page: number) => Promise<readonly TextItem[]>,
): Promise<ReadablePage> {
  const { page } = read;
  if (!maybeVertical(page)) return read;
  const reading = readColumns(await readWords(page.pageNum));
  if (reading.kind !== 'read') return reading.kind === 'lost' ? { ...read, columns: 'lost' } : read;
  const { blocks } = reading;
  const text = blocks.map((block) => block.text).join('\n\n');
  return { ...read, page: { ...page, blocks, text }, columns: 'read' };
}

/** Distances of each character to the next one below, or to the right, that is in line with it. */
function distances(glyphs: readonly Glyph[], axis: 'x' | 'y'): number[] {
  const other = axis === 'x' ? 'y' : 'x';
  const extent = axis === 'x' ? 'height' : 'width';
  const sorted = glyphs.toSorted((one, two) => one[axis] - two[axis]);
  return sorted.flatMap((glyph, at) => {
    const next = sorted
      .slice(at + 1)
      .find((two) => Math.abs(two[other] - glyph[other]) < glyph[extent] / 2 && two[axis] > glyph[axis] + 1);
    return next === undefined ? [] : [next[axis] - glyph[axis]];
  });
}

/** Columns from the right, the characters of each from the top. */
function columnsOf(words: readonly (WordBox & { size: number })[]): Column[] {
  const columns: Column[] = [];
  const middle = ({ x, width }: Rect): number => x + width / 2;
  for (const word of words.toSorted((one, other) => middle(other) - middle(one))) {
    const open = columns.find(
      (column) => Math.abs(column.x - middle(word)) < Math.max(column.size, word.size) * SAME_COLUMN,
    );
    if (open === undefined) columns.push({ glyphs: [word], x: middle(word), size: word.size });
    else open.glyphs.push(word);
  }
  for (const { glyphs } of columns) glyphs.sort((one, other) => one.y - other.y);
  return columns;
}

/** Parts columns where a stretch across all of them is empty. */
function tiersOf(columns: readonly Column[], size: number): Column[][] {
  const all = columns.flatMap(({ glyphs }) => glyphs).toSorted((one, other) => one.y - other.y);
  const borders: number[] = [];
  let end = -Infinity;
  for (const glyph of all) {
    if (end > -Infinity && glyph.y - end > size * TIER_GAP) borders.push(glyph.y);
    end = Math.max(end, glyph.y + glyph.height);
  }
  return [-Infinity, ...borders].map((from, at) => {
    const to = borders[at] ?? Infinity;
    return columns
      .map((column) => ({ ...column, glyphs: column.glyphs.filter(({ y }) => y >= from && y < to) }))
      .filter(({ glyphs }) => glyphs.length > 0);
  });
}

/** Columns go on with each other unless one is indented, is apart or is set in another size. */
function paragraphsOf(columns: readonly Column[], size: number): LayoutBlock[] {
  const top = Math.min(...columns.map(({ glyphs }) => glyphs[0]!.y));
  const pitch = median(columns.slice(1).map(({ x }, at) => columns[at]!.x - x));
  const paragraphs: Column[][] = [];
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1];
    const isNew =
      before === undefined ||
      column.glyphs[0]!.y > top + size * INDENT ||
      before.x - column.x > pitch * WIDE_GAP ||
      Math.max(before.size, column.size) > Math.min(before.size, column.size) * OTHER_SIZE;
    if (isNew) paragraphs.push([column]);
    else paragraphs.at(-1)!.push(column);
  }
  return paragraphs.map((those) => {
    const glyphs = those.flatMap((column) => column.glyphs);
    const text = glyphs.map((glyph) => glyph.text.replace(VERTICAL_FORMS, (form) => form.normalize('NFKC'))).join('');
    return paragraph(text, glyphs);
  });
}

function paragraph(text: string, boxes: readonly Glyph[]): LayoutBlock {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { kind: 'paragraph', text, bbox: { x, y, width: right - x, height: bottom - y } };
}

const isEastern = (text: string): boolean => text.match(EASTERN) !== null;
const placeOf = ({ x, y, text }: Glyph): string => `${x} ${y} ${text}`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}
