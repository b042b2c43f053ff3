import type { FoundValue, QuestionColumn } from './question-table.js';
import { isFiller, isSameWord, tokensOf, type Token } from './words.js';

/** Cells of one column that words of a question mean. */
export interface ValueOption {
  readonly column: QuestionColumn;
  /** Cells that are these words. */
  readonly whole: readonly string[];
  /** Cells of a list that has these words as an item: `A and B`, `A (B)`. */
  readonly items: readonly string[];
  /** Cells that have these words among others. */
  readonly parts: readonly string[];
}

/** Words of a question that are in cells. */
export interface ValueLink {
  readonly from: number;
  readonly to: number;
  /** As the question has them. */
  readonly text: string;
  readonly options: readonly ValueOption[];
  readonly isExact: boolean;
  readonly isSimilar: boolean;
}

/** Words of order and size are in names too (`First Light`); alone they mean the order. */
const CUE =
  /^(?:first|second|third|fourth|fifth|last|next|previous|final|new|old|high|low|long|short|big|small|large|great|good|best|top|year|day|month|time|\w{3,}est)$/;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly fit: 'whole' | 'items' | 'parts';
  readonly isSimilar: boolean;
  readonly found: FoundValue;
}

const FIT_ORDER = { whole: 0, items: 1, parts: 2 } as const;
const NOTE = /(?<!^)(?:\s*\[[^\]]*\]|\s*\([^)]*\)|[*†‡#]+)+\s*$/u;
const ITEM_BORDER = /\s*(?:[,;/&\n•|]|\band\b|\bund\b)\s*/iu;
const MAX_ITEM_WORDS = 5;
/** `A for B`, `A (B)`: the item is A. */
const BEHIND_ITEM = /\s*\([^)]*\)|\s+(?:for|with)\s.*$/giu;

/** Words of the question that are in cells; the longest ones, none twice. */
export function linkValues(
  question: readonly Token[],
  original: string,
  columns: readonly QuestionColumn[],
  values: readonly FoundValue[],
): ValueLink[] {
  const spans = values.flatMap((found) => spansOf(question, found));
  const ordered = spans.toSorted(
    (a, b) =>
      b.to - b.from - (a.to - a.from) ||
      FIT_ORDER[a.fit] - FIT_ORDER[b.fit] ||
      Number(a.isSimilar) - Number(b.isSimilar),
  );
  const links: ValueLink[] = [];
  for (const { from, to } of ordered) {
    if (links.some((link) => from < link.to && link.from < to)) continue;
    const same = ordered.filter((span) => span.from === from && span.to === to);
    links.push(linkOf(question, original, columns, same));
  }
  return links.toSorted((a, b) => a.from - b.from);
}

function linkOf(
  question: readonly Token[],
  original: string,
  columns: readonly QuestionColumn[],
  spans: readonly Span[],
): ValueLink {
  const { from, to } = spans[0]!;
  const options = columns.flatMap((column): ValueOption[] => {
    const own = spans.filter(({ found }) => found.column === column.name);
    const exact = own.filter(
      ({ fit, isSimilar }) => fit !== 'whole' || !isSimilar || own.every((one) => one.isSimilar),
    );
    const valuesOf = (fit: Span['fit']): string[] =>
      exact.filter((span) => span.fit === fit).map(({ found }) => found.value);
    return own.length === 0
      ? []
      : [{ column, whole: valuesOf('whole'), items: valuesOf('items'), parts: valuesOf('parts') }];
  });
  return {
    from,
    to,
    text: original.slice(question[from]!.start, question[to - 1]!.end),
    options,
    isExact: spans.some(({ fit }) => fit !== 'parts'),
    isSimilar: spans.every(({ isSimilar }) => isSimilar),
  };
}

function spansOf(question: readonly Token[], found: FoundValue): Span[] {
  const bare = found.value.replace(NOTE, '');
  const cell = tokensOf(bare === '' ? found.value : bare);
  if (cell.length === 0) return [];
  const items = itemsOf(bare);
  const spans: Span[] = [];
  for (let from = 0; from < question.length; from += 1) {
    const longest = turnedFrom(question, from, bare) ?? longestFrom(question, from, cell);
    if (longest === undefined) continue;
    const { to, isSimilar } = longest;
    const words = question.slice(from, to);
    if (!carriesMeaning(words, to - from === cell.length)) continue;
    const text = words.map((word) => word.text).join(' ');
    const fit = to - from === cell.length ? 'whole' : items.includes(text) ? 'items' : 'parts';
    if (fit !== 'whole' && words.length === 1 && CUE.test(text)) continue;
    if (fit === 'parts' && words.length === 1 && !cell.some((one) => one.text === text)) continue;
    if (fit === 'parts' && (isSimilar || (words.length === 1 && /^\d{1,3}$/.test(text)))) continue;
    spans.push({ from, to, fit, isSimilar, found });
  }
  return spans;
}

function itemsOf(cell: string): string[] {
  const items = cell.replace(/\([^)]*\)/g, ' ').split(ITEM_BORDER);
  // Sentences are no lists.
  if (items.some((item) => item.split(/\s+/).length > MAX_ITEM_WORDS)) return [];
  return [...items, ...items.map((item) => item.replace(BEHIND_ITEM, ''))].map((item) =>
    tokensOf(item)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** `medium dog` where the cell is `Dog, medium`: as lists of goods have it. */
function turnedFrom(
  question: readonly Token[],
  from: number,
  cell: string,
): { readonly to: number; readonly isSimilar: boolean } | undefined {
  const [noun, kind, ...others] = cell.split(',').map(tokensOf);
  if (noun === undefined || kind === undefined || others.length > 0 || noun.length === 0 || kind.length === 0)
    return undefined;
  const turned = [...kind, ...noun];
  const isThere = turned.every((word, index) => {
    const own = question[from + index];
    return own !== undefined && isSameWord(own, word) === 'same';
  });
  return isThere ? { to: from + turned.length, isSimilar: false } : undefined;
}

function longestFrom(
  question: readonly Token[],
  from: number,
  cell: readonly Token[],
): { readonly to: number; readonly isSimilar: boolean } | undefined {
  let best: { to: number; isSimilar: boolean } | undefined;
  for (let at = 0; at < cell.length; at += 1) {
    let [length, isSimilar] = [0, false];
    while (at + length < cell.length && from + length < question.length) {
      const same = isSameWord(question[from + length]!, cell[at + length]!);
      if (same === undefined) break;
      if (same === 'similar') isSimilar = true;
      length += 1;
    }
    while (length > 1 && length < cell.length && isFiller(question[from + length - 1]!.text)) length -= 1;
    const to = from + length;
    if (length > 0 && (best === undefined || to > best.to || (to === best.to && !isSimilar))) best = { to, isSimilar };
  }
  return best;
}

/** Small words alone mean no cell, unless they are several and the whole of it. */
function carriesMeaning(words: readonly Token[], isWhole: boolean): boolean {
  const content = words.filter(({ text }) => !isFiller(text));
  if (content.length === 0) return isWhole && words.length > 1;
  if (isFiller(words[0]!.text) && !isWhole) return false;
  return content.some(({ text }) => text.length > 1) || (isWhole && words.length > 1);
}

/** A word that most cells of its columns have (`robot` in descriptions of robots) sets no row apart. */
export function isCommon({ from, to, isExact, options }: ValueLink): boolean {
  return (
    !isExact &&
    to - from === 1 &&
    options.every(
      ({ column, parts }) => parts.length > 2 && parts.length >= (column.distinct ?? Number.POSITIVE_INFINITY) * 0.6,
    )
  );
}
