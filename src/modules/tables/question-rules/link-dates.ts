import type { Comparison } from './table-query.js';
import type { Token } from './words.js';

/** A day, month or quarter that a question names, of a year or of every one; or a range of such. */
export interface DateLink {
  readonly from: number;
  readonly to: number;
  readonly op: Comparison;
  readonly first: NamedDate;
  /** Where the range ends, or `first` again. */
  readonly last: NamedDate;
}

/** Months from 1, the last one included; several only for a quarter. */
export interface NamedDate {
  readonly year: number | undefined;
  readonly month: number;
  readonly lastMonth: number;
  readonly day: number | undefined;
}

interface Found {
  readonly to: number;
  readonly date: NamedDate;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const SHORT = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const OPS: readonly (readonly [RegExp, Comparison])[] = [
  [/\b(?:after|later than)$/, '>'],
  [/\b(?:since|from|starting|not before)$/, '>='],
  [/\b(?:before|earlier than|prior to)$/, '<'],
  [/\b(?:until|till|by|no later than|up to)$/, '<='],
];
const YEAR = /^[12]\d{3}$/;

/** Dates with a month in words, quarters, `2024-03-01`, and ranges of them. */
export function linkDates(question: readonly Token[]): DateLink[] {
  const links: DateLink[] = [];
  for (let at = 0; at < question.length; at += 1) {
    const found = isoAt(question, at) ?? quarterAt(question, at) ?? wordsAt(question, at);
    if (found === undefined) continue;
    const link = withOp(question, at, found);
    const former = links.at(-1);
    const joined = former === undefined ? undefined : join(question, former, link, at);
    if (joined === undefined) links.push(link);
    else links.splice(-1, 1, ...joined);
    at = found.to - 1;
  }
  return links;
}

/** Whether a stem is that of the name of a month. */
export function isMonth(stem: string): boolean {
  return MONTHS.includes(stem) || SHORT.includes(stem);
}

function isoAt(question: readonly Token[], at: number): Found | undefined {
  const [year, month, day] = [0, 1, 2].map((offset) => question[at + offset]);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isIso =
    YEAR.test(year.text) &&
    /^[01]\d$/.test(month.text) &&
    /^[0-3]\d$/.test(day.text) &&
    month.start === year.end + 1 &&
    day.start === month.end + 1;
  if (!isIso) return undefined;
  return { to: at + 3, date: dateOf(Number(year.text), Number(month.text), Number(day.text)) };
}

/** `Q1 2024`, `the first quarter of 2024`, `2024 Q1`, `quarter 1`. */
function quarterAt(question: readonly Token[], at: number): Found | undefined {
  const isYearFirst = YEAR.test(question[at]?.text ?? '') && /^q[1-4]$/.test(question[at + 1]?.text ?? '');
  const begin = isYearFirst ? at + 1 : at;
  const [text, next] = [question[begin]?.text ?? '', question[begin + 1]?.text ?? ''];
  const short = Number(/^q([1-4])$/.exec(text)?.[1] ?? 0);
  const ordinal =
    next === 'quarter' ? ORDINALS.indexOf(text) + 1 || Number(/^([1-4])(?:st|nd|rd|th)$/.exec(text)?.[1] ?? 0) : 0;
  const numbered = text === 'quarter' ? Number(/^q?([1-4])$/.exec(next)?.[1] ?? 0) : 0;
  const quarter = short || ordinal || numbered;
  if (quarter === 0) return undefined;
  const end = begin + (short > 0 ? 1 : 2);
  const behind = isYearFirst ? { year: Number(question[at]!.text), to: end } : yearBehind(question, end);
  return { to: behind.to, date: { year: behind.year, month: quarter * 3 - 2, lastMonth: quarter * 3, day: undefined } };
}

function wordsAt(question: readonly Token[], at: number): Found | undefined {
  const dayFirst = dayOf(question[at]);
  const monthAt = dayFirst === undefined ? at : question[at + 1]?.text === 'of' ? at + 2 : at + 1;
  const month = monthOf(question, monthAt);
  if (month === undefined) return undefined;
  const day = dayFirst ?? dayOf(question[monthAt + 1]);
  const end = monthAt + (dayFirst === undefined && day !== undefined ? 2 : 1);
  const { year, to } = yearBehind(question, end);
  return { to, date: dateOf(year, month, day) };
}

function yearBehind(
  question: readonly Token[],
  end: number,
): { readonly year: number | undefined; readonly to: number } {
  const isOf = question[end]?.text === 'of' || question[end]?.text === 'in';
  const at = isOf ? end + 1 : end;
  const isYear = YEAR.test(question[at]?.text ?? '');
  return isYear ? { year: Number(question[at]!.text), to: at + 1 } : { year: undefined, to: end };
}

function dateOf(year: number | undefined, month: number, day: number | undefined): NamedDate {
  return { year, month, lastMonth: month, day };
}

/** `may` and `mar` mean a month only beside a number or behind a word of time. */
function monthOf(question: readonly Token[], at: number): number | undefined {
  const text = question[at]?.text ?? '';
  const index = Math.max(MONTHS.indexOf(text), SHORT.indexOf(text === 'sept' ? 'sep' : text));
  if (index < 0) return undefined;
  const isPlain = text.length > 3;
  const isBeside = [question[at - 1]?.text, question[at + 1]?.text].some((word) => /^\d/.test(word ?? ''));
  const isBehind = /^(?:in|of|since|until|during|before|after|or|and|between|to|from|through|by|till|for)$/.test(
    question[at - 1]?.text ?? '',
  );
  return isPlain || isBeside || isBehind ? index + 1 : undefined;
}

function dayOf(token: Token | undefined): number | undefined {
  const match = /^([0-3]?\d)(?:st|nd|rd|th)?$/.exec(token?.text ?? '');
  const day = Number(match?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : undefined;
}

function withOp(question: readonly Token[], at: number, { to, date }: Found): DateLink {
  const end = question[at - 1]?.text === 'the' ? at - 1 : at;
  for (const length of [3, 2, 1]) {
    const words = wordsBefore(question, end, length);
    const op = OPS.find(([pattern]) => pattern.exec(words)?.index === 0)?.[1];
    if (op !== undefined) return { from: end - length, to, op, first: date, last: date };
  }
  return { from: at, to, op: '=', first: date, last: date };
}

function wordsBefore(question: readonly Token[], end: number, length: number): string {
  return end < length
    ? ''
    : question
        .slice(end - length, end)
        .map(({ text }) => text)
        .join(' ');
}

/** `between March and May 2024`, `from January to June`; `January and February 2024` are both of that year. */
function join(question: readonly Token[], low: DateLink, high: DateLink, at: number): DateLink[] | undefined {
  const joint = question
    .slice(low.to, at)
    .map(({ text }) => text)
    .join(' ');
  const opener = question[low.from - 1]?.text;
  const isRange =
    (opener === 'between' && /^(?:and|to)$/.test(joint)) ||
    (low.op === '=' || low.op === '>=' ? /^(?:to|until|till|through)$/.test(joint) : false);
  const first = low.first.year === undefined ? { ...low.first, year: high.last.year } : low.first;
  if (isRange) {
    const from = opener === 'between' ? low.from - 1 : low.from;
    return [{ from, to: high.to, op: '=', first, last: high.last }];
  }
  if (/^(?:and|or|and in|or in)?$/.test(joint) && low.op === '=' && high.op === '=')
    return [{ ...low, first, last: low.last === low.first ? first : low.last }, high];
  return undefined;
}
