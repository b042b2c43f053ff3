import { excerptOf, unwrapped, type Span } from './excerpt.js';

/** What Markdown writes for a program to read, and what a person reads in its place. */
interface Mark extends Span {
  readonly instead: string;
  /** What follows it as far as there is written strong: a heading, bold text. */
  readonly strongTo?: number;
}

/** A stretch of a text as a person reads it. */
export interface Dressed {
  readonly text: string;
  readonly isStrong: boolean;
}

const HEADING = /^ {0,3}#{1,6}[ \t]+/gm;
const STRONG = /\*\*(?=\S)[^\n]*?\S\*\*/g;
const TABLE_ROW = /^[ \t]*\|.*\|[ \t]*$/gm;
/** The line below the heads of a table, with its end. */
const TABLE_RULE = /^[ \t]*\|[ \t:|-]*-[ \t:|-]*\|[ \t]*(?:\n|$)/gm;
const TABLE_BAR = /[ \t]*(?<!\\)\|[ \t]*/g;
const BETWEEN_CELLS = ' · ';

/** Code within a line. */
const CODE = /(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)/g;
/** Code between fences: what looks like a mark there is none. */
const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ {0,3}\1|(?![^]))/gm;

/** Marks of headings, bold text and tables, in order and without overlaps. A mark that has no partner is a character like others. */
function marksOf(text: string): readonly Mark[] {
  const code = [FENCED, CODE]
    .flatMap((one) => [...text.matchAll(one)])
    .map(({ index, 0: block }) => ({ start: index, end: index + block.length }));
  return allMarksOf(text).filter((mark) => !code.some(({ start, end }) => mark.start >= start && mark.start < end));
}

function allMarksOf(text: string): readonly Mark[] {
  const rules = [...text.matchAll(TABLE_RULE)].map(({ index, 0: rule }) => markAt(index, rule.length, ''));
  const isRule = (at: number): boolean => rules.some(({ start, end }) => at >= start && at < end);
  const bars = [...text.matchAll(TABLE_ROW)].flatMap(({ index, 0: row }) => (isRule(index) ? [] : barsOf(row, index)));
  const headings = [...text.matchAll(HEADING)].map(({ index, 0: mark }) => {
    const end = text.indexOf('\n', index);
    return { ...markAt(index, mark.length, ''), strongTo: end === -1 ? text.length : end };
  });
  const strong = [...text.matchAll(STRONG)].flatMap(({ index, 0: words }) => [
    { ...markAt(index, 2, ''), strongTo: index + words.length - 2 },
    markAt(index + words.length - 2, 2, ''),
  ]);
  return [...rules, ...bars, ...headings, ...strong].toSorted((one, other) => one.start - other.start);
}

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

/** The same with headings and bold text told from the rest. */
export function dresserOf(text: string): (from: number, to: number) => readonly Dressed[] {
  const read = readerOf(text);
  const strong = marksOf(text).flatMap(({ end, strongTo }) =>
    strongTo === undefined ? [] : [{ from: end, to: strongTo }],
  );
  return (from, to) => {
    const borders = strong.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
    const cuts = [...new Set([from, ...borders, to])].toSorted((one, other) => one - other);
    return cuts
      .slice(0, -1)
      .map((at, nth) => ({
        text: read(at, cuts[nth + 1]!),
        isStrong: strong.some((one) => one.from <= at && one.to >= cuts[nth + 1]!),
      }))
      .filter(({ text: words }) => words !== '');
  };
}

/** The beginning of a passage as a person reads it: without marks and lines that a width has broken, cut between words. */
export function readableOf(passage: string, most = Number.POSITIVE_INFINITY): string {
  const text = unwrapped(passage);
  const { end } = excerptOf(text, [], most);
  const shown = readerOf(text)(0, end)
    .replaceAll(/\n\s*\n/g, '\n')
    .trim();
  return end < text.length ? `${shown} …` : shown;
}
