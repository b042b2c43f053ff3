import type { Comparison } from './table-query.js';
import type { Token } from './words.js';

/** A day, month or month of a year that a question names. */
export interface DateLink {
  readonly from: number;
  readonly to: number;
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
  readonly op: Comparison;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const SHORT = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const OPS: readonly (readonly [RegExp, Comparison])[] = [
  [/^(?:after|later than)$/, '>'],
  [/^(?:since|from|starting)$/, '>='],
  [/^before$/, '<'],
  [/^(?:until|till|by)$/, '<='],
];

/** Dates with a month in words, and `2024-03-01`. */
export function linkDates(question: readonly Token[]): DateLink[] {
  const links: DateLink[] = [];
  for (let at = 0; at < question.length; at += 1) {
    const found = isoAt(question, at) ?? wordsAt(question, at);
    if (found === undefined) continue;
    links.push(found);
    at = found.to - 1;
  }
  return links;
}

function isoAt(question: readonly Token[], at: number): DateLink | undefined {
  const [year, month, day] = [0, 1, 2].map((offset) => question[at + offset]);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isIso =
    /^[12]\d{3}$/.test(year.text) &&
    /^[01]\d$/.test(month.text) &&
    /^[0-3]\d$/.test(day.text) &&
    month.start === year.end + 1 &&
    day.start === month.end + 1;
  if (!isIso) return undefined;
  return withOp(question, at, {
    to: at + 3,
    year: Number(year.text),
    month: Number(month.text),
    day: Number(day.text),
  });
}

function wordsAt(question: readonly Token[], at: number): DateLink | undefined {
  const dayFirst = dayOf(question[at]);
  const monthAt = dayFirst === undefined ? at : question[at + 1]?.text === 'of' ? at + 2 : at + 1;
  const month = monthOf(question, monthAt);
  if (month === undefined) return undefined;
  let to = monthAt + 1;
  const day = dayFirst ?? dayOf(question[to]);
  if (dayFirst === undefined && day !== undefined) to += 1;
  if (question[to]?.text === 'of') to += /^[12]\d{3}$/.test(question[to + 1]?.text ?? '') ? 1 : 0;
  const year = /^[12]\d{3}$/.test(question[to]?.text ?? '') ? Number(question[to]!.text) : undefined;
  if (year !== undefined) to += 1;
  return withOp(question, at, { to, year, month, day });
}

/** `may` and `mar` mean a month only beside a number or behind a word of time. */
function monthOf(question: readonly Token[], at: number): number | undefined {
  const text = question[at]?.text ?? '';
  const index = Math.max(MONTHS.indexOf(text), SHORT.indexOf(text === 'sept' ? 'sep' : text));
  if (index < 0) return undefined;
  const isPlain = text.length > 3;
  const isBeside = [question[at - 1]?.text, question[at + 1]?.text].some((word) => /^\d/.test(word ?? ''));
  const isBehind = /^(?:in|of|since|until|during|before|after|or|and)$/.test(question[at - 1]?.text ?? '');
  return isPlain || isBeside || isBehind ? index + 1 : undefined;
}

function dayOf(token: Token | undefined): number | undefined {
  const match = /^([0-3]?\d)(?:st|nd|rd|th)?$/.exec(token?.text ?? '');
  const day = Number(match?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : undefined;
}

function withOp(question: readonly Token[], at: number, date: Omit<DateLink, 'from' | 'op'>): DateLink {
  const before = question[at - 1]?.text ?? '';
  const op = OPS.find(([words]) => words.test(before))?.[1];
  return { ...date, from: op === undefined ? at : at - 1, op: op ?? '=' };
}
