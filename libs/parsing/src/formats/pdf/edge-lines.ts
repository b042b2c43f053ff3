import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { linesOf } from './page-lines.js';
import { pageNumberOf, type NumberedText } from './page-number.js';
import { bare } from './page-text.js';

export type Edge = 'top' | 'bottom';

/** A line of a page, as far as its edge matters. */
export interface EdgeLine {
  readonly edge: Edge;
  readonly y: number;
  readonly items: readonly EdgeItem[];
  readonly isInTable: boolean;
  readonly size: number;
  /** Its height on the page and its size. */
  readonly slot: string;
  /** What it says without numbers that are set apart; undefined where it is too long. */
  readonly title?: EdgeTitle;
}

export interface EdgeTitle {
  /** The words as they are written. */
  readonly words: string;
  /** What it is known by: its letters and digits. */
  readonly key: string;
  /** The same where a number before it counts the pages. */
  readonly countedKey?: string;
  /** It is a label with a value, or holds a number or a date that tells one thing from others. */
  readonly hasValue: boolean;
}

export interface EdgeItem {
  readonly text: string;
  /** Place and text; with the number of the page, what it is more than that of the sheet. */
  readonly keys: readonly EdgeKey[];
}

export interface EdgeKey {
  readonly key: string;
  /** Whether it counts the pages, and how that is told. */
  readonly number?: NumberedText['kind'];
  /** Must be there too before a loose number behind words counts the pages: the same words without one. */
  readonly mirror?: string;
  /** Must not be there: the same on right pages where this one is left, since numbers on each sheet may be those of forms. */
  readonly opposite?: string;
}

/** Lines at one edge of a page, and the share of its height that they lie in. */
const MOST_LINES = 4;
const EDGE_SHARE = 0.18;
const MAX_UNITS = 200;
/** Numbers that are more than that of the sheet by more are seldom those of pages. */
const MAX_OFFSET = 50;
const LABEL = /^([^:：]{1,60})[:：]\s*\S/u;
/** `Chapter 3:` and `Part II:` */
const NUMBERED_LABEL = /(?:\p{N}|\b[IVXLC]+)\s*$/u;
/** A number of three digits, `12/24` and `1.3.24`. */
const VALUE = /\p{N}{3}|\p{N}\s?\/\s?\p{N}|\p{N}[.-]\p{N}+[.-]\p{N}/u;

/** The outermost lines of a page, each edge from outside. */
export function edgeLines(page: ParsedPage): EdgeLine[] {
  const items = page.textItems.filter(({ text, rotation = 0 }) => text.trim() !== '' && rotation % 360 === 0);
  const limit = page.height * EDGE_SHARE;
  const top = linesOf(items.filter(({ y }) => y < limit));
  const bottom = linesOf(items.filter(({ y, height }) => y + height > page.height - limit)).reverse();
  return [
    ...top.slice(0, MOST_LINES).map((line) => edgeLine(line, 'top', page)),
    ...bottom.slice(0, MOST_LINES).map((line) => edgeLine(line, 'bottom', page)),
  ];
}

function edgeLine(items: readonly TextItem[], edge: Edge, page: ParsedPage): EdgeLine {
  const [{ y, height }] = items as [TextItem, ...TextItem[]];
  const middle = y + height / 2;
  const isInTable = (page.blocks ?? []).some(
    ({ kind, bbox }) => kind === 'table' && bbox !== undefined && middle > bbox.y && middle < bbox.y + bbox.height,
  );
  const size = Math.max(...items.map(({ fontSize = 0 }) => fontSize));
  const place = `${edge}${Math.round(edge === 'top' ? y : page.height - y)}`;
  const isLong = items.reduce((sum, { text }) => sum + text.length, 0) > MAX_UNITS;
  const own = items.map(({ text }) => (isLong ? { text, keys: [] } : edgeItem(text, place, page.pageNum)));
  const slot = `${place} ${Math.round(size)}`;
  const title = isLong ? undefined : titleOf(items, page.pageNum);
  return { edge, y: middle, isInTable, size, items: own, slot, ...(title !== undefined && { title }) };
}

/** The words of a line without a number that may be that of the page; one that only a space sets apart may be part of a name. */
function titleOf(items: readonly TextItem[], page: number): EdgeTitle {
  const parts = items.map(({ text }) => {
    const numbered = numberOn(page, text);
    return numbered !== undefined && isApart(numbered.kind) && !numbered.isFar ? numbered.words : text.trim();
  });
  const words = parts.join(' ').trim();
  const loose = numberOn(page, words);
  const isCounted = loose?.kind === 'loose' && loose.place === 'before' && !loose.isFar;
  return {
    words,
    key: bare(words),
    ...(isCounted && { countedKey: `${bare(loose.words)}#${loose.number - page}` }),
    hasValue: hasValue(isCounted ? loose.words : words),
  };
}

/** What may be the number of a page; `isFar`: it is beside words and may as well be that of an invoice. Years are none. */
function numberOn(page: number, text: string): (NumberedText & { readonly isFar: boolean }) | undefined {
  const numbered = pageNumberOf(text.trim());
  if (numbered === undefined) return undefined;
  const { number, kind, place } = numbered;
  const isAbove = kind !== 'named' && Math.abs(number - page) > MAX_OFFSET;
  if (isAbove && number >= 1900 && number < 2100) return undefined;
  return { ...numbered, isFar: isAbove && place !== 'alone' };
}

/** Whether a text is a label with a value, or holds a number or a date that tells one thing from others. */
export function hasValue(words: string): boolean {
  const label = LABEL.exec(words)?.[1];
  return (label !== undefined && !NUMBERED_LABEL.test(label)) || VALUE.test(words);
}

/** Whether more than a space parts a number from words. */
export function isApart(kind: NumberedText['kind'] | undefined): boolean {
  return kind === 'named' || kind === 'bare';
}

/** Left and right pages. */
export function sideOf({ pageNum }: Pick<ParsedPage, 'pageNum'>): 0 | 1 {
  return pageNum % 2 === 0 ? 0 : 1;
}

function edgeItem(text: string, place: string, page: number): EdgeItem {
  const plain = { key: `${place} ${text.replace(/\s+/g, ' ').trim()}` };
  const numbered = numberOn(page, text);
  if (numbered === undefined) return { text, keys: [plain] };
  const { words, number, kind, place: side, isFar } = numbered;
  if (isFar) {
    const own = `${place} ${words}#${number - page} `;
    const [here, there] = page % 2 === 0 ? ['left', 'right'] : ['right', 'left'];
    return { text, keys: [plain, { key: own + here, number: kind, opposite: own + there }] };
  }
  const mirror = kind === 'loose' && side === 'behind' ? { mirror: `${place} ${words}` } : {};
  return { text, keys: [plain, { key: `${place} ${words}#${number - page}`, number: kind, ...mirror }] };
}
