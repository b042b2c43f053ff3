import { excerptOf, unwrapped, type Span } from './excerpt.js';

/** How a stretch of Markdown is set: a heading and bold text are strong. */
export type Look = 'plain' | 'strong' | 'emphasis' | 'code';

/** What Markdown writes for a program to read, and what a person reads in its place. */
interface Mark extends Span {
  readonly instead: string;
  /** How what follows it is set, and up to where. */
  readonly sets?: { readonly to: number; readonly look: Look };
}

/** A stretch of a text as a person reads it. */
export interface StyledPiece {
  readonly text: string;
  readonly look: Look;
}

const HEADING = /^ {0,3}#{1,6}[ \t]+/gm;
const STRONG = /\*\*(?=\S)[^\n]*?\S\*\*/g;
export const TABLE_ROW = /^[ \t]*\|.*\|[ \t]*$/gm;
/** The line below the heads of a table, with its end. */
export const TABLE_RULE = /^[ \t]*\|[ \t:|-]*-[ \t:|-]*\|[ \t]*(?:\n|$)/gm;
export const TABLE_BAR = /[ \t]*(?<!\\)\|[ \t]*/g;
const BETWEEN_CELLS = ' · ';

/** Emphasis: the stars touch the words, and nothing else that belongs to a word. */
const EMPHASIS =
  /(?<![\w*\\])\*(?=[^\s*])[^*\n]*?(?<=[^\s*])\*(?![\w*])|(?<![\w_\\])_(?=[^\s_])[^_\n]*?(?<=[^\s_])_(?![\w_])/g;
/** A link or a picture: what is read are its words. */
const LINK = /!?\[([^[\]\n]*)\](\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+"[^"\n]*")?\))/g;
/** The dot of an item of a list. */
const ITEM = /^([ \t]*)[-*+](?=[ \t]+\S)/gm;

/** Code within a line. */
const CODE = /(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)/g;
/** Code between fences: what looks like a mark there is none. */
const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))|(?![^]))/gm;
/** A line that opens or closes code, with its end; the language is captured. */
const FENCE_LINE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\n`]*)(?:\n|(?![^]))/gm;

/** Marks of headings, bold text, emphasis, code, links, lists and tables, in order and without overlaps. A mark that has no partner is a character like others. */
function marksOf(text: string): readonly Mark[] {
  const lone = loneFenceOf(text);
  const after = lone?.end ?? 0;
  const whole = [...text.slice(after).matchAll(FENCED)].map(({ index, 0: block, 1: fence = '' }) =>
    fencedMarks(block, fence, after + index),
  );
  const fenced =
    lone === undefined ? whole : [[codeFrom(0, lone.start), markAt(lone.start, after - lone.start, '')], ...whole];
  const inline = [...text.matchAll(CODE)].map(({ index, 0: code, 1: tick = '' }) =>
    pairOf(index, code.length, tick.length, 'code'),
  );
  const code = [...fenced, ...apartFrom(inline, fenced)];
  const others = apartFrom(
    proseMarksOf(text).map((mark) => [mark]),
    code,
  );
  return [...code, ...others].flat().toSorted((one, other) => one.start - other.start);
}

/** Groups of marks that begin in none of the stretches that others span. */
function apartFrom(
  groups: readonly (readonly Mark[])[],
  others: readonly (readonly Mark[])[],
): readonly (readonly Mark[])[] {
  const spans = others
    .map((marks) => ({ start: marks[0]!.start, end: marks.at(-1)!.end }))
    .toSorted((one, other) => one.start - other.start);
  let at = 0;
  return groups
    .toSorted((one, other) => one[0]!.start - other[0]!.start)
    .filter(([first]) => {
      while (at < spans.length && spans[at]!.end <= first!.start) at += 1;
      return at === spans.length || spans[at]!.start > first!.start;
    });
}

/**
 * The fence that closes code whose beginning was cut off with the text above: the first of an odd number of them, without a language, below a line
 * and above an empty one or the end. A line that ends in a colon leads to code below it.
 */
function loneFenceOf(text: string): Span | undefined {
  const fences = [...text.matchAll(FENCE_LINE)];
  const [first] = fences;
  if (first === undefined || fences.length % 2 === 0 || first[1] !== '') return undefined;
  const end = first.index + first[0].length;
  const above = text.slice(text.lastIndexOf('\n', first.index - 2) + 1, first.index).trim();
  const closes = above !== '' && !above.endsWith(':') && /^[ \t]*(?:\n|$)/.test(text.slice(end));
  return closes ? { start: first.index, end } : undefined;
}

/** Stretches of code between fences, with these, and what stands above a fence whose beginning was cut off: what looks like a table there is none. */
export function fencedStretches(text: string): readonly Span[] {
  const lone = loneFenceOf(text);
  const after = lone?.end ?? 0;
  const whole = [...text.slice(after).matchAll(FENCED)].map(({ index, 0: block }) => ({
    start: after + index,
    end: after + index + block.length,
  }));
  return lone === undefined ? whole : [{ start: 0, end: lone.end }, ...whole];
}

const codeFrom = (start: number, to: number): Mark => ({ ...markAt(start, 0, ''), sets: { to, look: 'code' } });

/** The lines of the fences, of which the second is missing where a text is cut. */
function fencedMarks(block: string, fence: string, at: number): readonly Mark[] {
  const first = block.indexOf('\n') + 1 || block.length;
  const last = block.lastIndexOf('\n') + 1;
  const isClosed = last > first && block.slice(last).trimStart().startsWith(fence);
  const to = at + (isClosed ? last : block.length);
  return [{ ...markAt(at, first, ''), sets: { to, look: 'code' } }, markAt(to, isClosed ? block.length - last : 0, '')];
}

function proseMarksOf(text: string): readonly Mark[] {
  const rules = [...text.matchAll(TABLE_RULE)].map(({ index, 0: rule }) => markAt(index, rule.length, ''));
  const isRule = (at: number): boolean => rules.some(({ start, end }) => at >= start && at < end);
  const bars = [...text.matchAll(TABLE_ROW)].flatMap(({ index, 0: row }) => (isRule(index) ? [] : barsOf(row, index)));
  const headings = [...text.matchAll(HEADING)].map(({ index, 0: mark }): Mark => {
    const end = text.indexOf('\n', index);
    return { ...markAt(index, mark.length, ''), sets: { to: end === -1 ? text.length : end, look: 'strong' } };
  });
  const strong = [...text.matchAll(STRONG)].flatMap(({ index, 0: words }) => pairOf(index, words.length, 2, 'strong'));
  const emphasis = [...text.matchAll(EMPHASIS)].flatMap(({ index, 0: words }) =>
    pairOf(index, words.length, 1, 'emphasis'),
  );
  const links = [...text.matchAll(LINK)].flatMap(({ index, 0: link, 2: target = '' }) => [
    markAt(index, link.startsWith('!') ? 2 : 1, ''),
    markAt(index + link.length - target.length - 1, target.length + 1, ''),
  ]);
  const items = [...text.matchAll(ITEM)].map(({ index, 1: indent = '' }) => markAt(index + indent.length, 1, '•'));
  const all = [...rules, ...bars, ...headings, ...strong, ...emphasis, ...links, ...items];
  let end = 0;
  // The address of a link is no text: what looks like a mark in it is a part of it.
  return all
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter((mark) => {
      const isApart = mark.start >= end;
      end = Math.max(end, mark.end);
      return isApart;
    });
}

/** The marks at both ends of a stretch. */
const pairOf = (at: number, length: number, width: number, look: Look): readonly [Mark, Mark] => [
  { ...markAt(at, width, ''), sets: { to: at + length - width, look } },
  markAt(at + length - width, width, ''),
];

const markAt = (start: number, length: number, instead: string): Mark => ({ start, end: start + length, instead });

function barsOf(row: string, at: number): readonly Mark[] {
  const bars = [...row.matchAll(TABLE_BAR)];
  return bars.map(({ index, 0: bar }, nth) =>
    markAt(at + index, bar.length, nth === 0 || nth === bars.length - 1 ? '' : BETWEEN_CELLS),
  );
}

/** Reads stretches of a text without its marks: the stretches join to the whole text, wherever it is cut. */
export function readerOf(text: string): (from: number, to: number) => string {
  const marks = marksOf(text);
  return (from, to) => {
    let [read, at] = ['', from];
    for (const { start, end, instead } of marks) {
      if (end <= from || start >= to) continue;
      read += text.slice(at, Math.max(at, start)) + (start >= from ? instead : '');
      at = Math.max(at, end);
    }
    return read + text.slice(at, Math.max(at, to));
  };
}

/** The same with what is set in a look of its own told from the rest. */
export function styledReaderOf(text: string): (from: number, to: number) => readonly StyledPiece[] {
  const read = readerOf(text);
  const sets = marksOf(text).flatMap(({ end, sets: set }) => (set === undefined ? [] : [{ ...set, from: end }]));
  return (from, to) => {
    const borders = sets.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
    const cuts = [...new Set([from, ...borders, to])].toSorted((one, other) => one - other);
    return cuts
      .slice(0, -1)
      .map((at, nth) => ({
        text: read(at, cuts[nth + 1]!),
        look: sets.find((one) => one.from <= at && one.to >= cuts[nth + 1]!)?.look ?? 'plain',
      }))
      .filter(({ text: words }) => words !== '');
  };
}

/** A text as a person reads it, and where each of its code units stands in the text with its marks. */
export function readWithPlaces(text: string): { readonly text: string; readonly places: readonly number[] } {
  let [read, at] = ['', 0];
  const places: number[] = [];
  const keep = (end: number): void => {
    for (let place = at; place < end; place += 1) places.push(place);
    read += text.slice(at, Math.max(at, end));
  };
  for (const { start, end, instead } of marksOf(text)) {
    keep(start);
    for (let unit = 0; unit < instead.length; unit += 1) places.push(start);
    read += instead;
    at = Math.max(at, end);
  }
  keep(text.length);
  return { text: read, places };
}

/** The beginning of a passage as a person reads it: without marks and lines that a width has broken, cut between words. */
export function readablePieces(passage: string, most = Number.POSITIVE_INFINITY): readonly StyledPiece[] {
  const text = unwrapped(passage).trimEnd();
  const { end } = excerptOf(text, [], most);
  const pieces = styledReaderOf(text)(0, end).map((piece) => ({
    ...piece,
    text: piece.text.replaceAll(BLANK_LINES, '\n'),
  }));
  return end < text.length ? [...pieces, { text: ' …', look: 'plain' }] : pieces;
}

const BLANK_LINES = /\n\s*\n/g;

/** The same as words alone. */
export function readableOf(passage: string, most = Number.POSITIVE_INFINITY): string {
  const words = readablePieces(passage, most)
    .map(({ text }) => text)
    .join('');
  return words.replaceAll(BLANK_LINES, '\n').trim();
}
