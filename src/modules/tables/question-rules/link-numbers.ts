import type { Comparison } from './table-query.js';
import type { Token } from './words.js';

/** A number of a question, with what it is compared by. */
export interface NumberLink {
  readonly from: number;
  readonly to: number;
  /** The number itself is here. */
  readonly at: number;
  readonly op: Comparison | 'between';
  readonly value: number;
  readonly high: number | undefined;
  /** Written as a year is, or as a decade. */
  readonly isYear: boolean;
  readonly isOrdinal: boolean;
  /** Whether these words compare amounts: `at least`, not `since`. */
  readonly isQuantity: boolean;
  /** Whether words say how to compare. */
  readonly isCompared: boolean;
  readonly unit: string | undefined;
}

const WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index) => [word, index] as const),
);
const ORDINALS = 'second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['k', 1000],
  ['million', 1e6],
  ['billion', 1e9],
]);
const BEFORE: readonly (readonly [RegExp, Comparison])[] = [
  [
    /(?:no|not) (?:more|greater|higher|larger|longer|later|older) than$|at most$|up to$|maximum of$|no later than$|until$|till$/,
    '<=',
  ],
  [
    /(?:no|not) (?:less|fewer|lower|smaller|shorter|earlier|younger) than$|at least$|minimum of$|since$|starting (?:from|in|with)$|as (?:many|much) as$/,
    '>=',
  ],
  [
    /(?:more|greater|higher|larger|bigger|longer|later|older|newer|heavier|taller|better|faster|wider|deeper|further) than$|(?:above|over|beyond|after|past|exceeding|exceeded|exceed|exceeds|surpassing|surpassed)$/,
    '>',
  ],
  [
    /(?:less|fewer|lower|smaller|shorter|earlier|younger|cheaper|lighter|worse|slower) than$|(?:below|under|beneath|before|prior to)$/,
    '<',
  ],
  [/(?:exactly|equal to|equals|of exactly|precisely)$/, '='],
];
const AFTER: readonly (readonly [RegExp, Comparison])[] = [
  [/^(?:or|and) (?:more|above|over|higher|later|greater|older|newer|longer|larger|up|after)\b/, '>='],
  [/^(?:or|and) (?:less|fewer|below|under|lower|earlier|younger|shorter|smaller|before)\b/, '<='],
];
const SMALL = /^(?:the|year|years|a|an|score|date|total|of|[$€£])$/;

/** Numbers, with the words around them that compare. */
export function linkNumbers(question: readonly Token[]): NumberLink[] {
  const links: NumberLink[] = [];
  for (let at = 0; at < question.length; at += 1) {
    const read = numberAt(question, at);
    if (read === undefined) continue;
    const link = linkOf(question, at, read);
    const last = links.at(-1);
    const joined = last === undefined ? undefined : asRange(question, last, link);
    if (joined !== undefined) links[links.length - 1] = joined;
    else links.push(link);
    at = link.to - 1;
  }
  return links;
}

interface Read {
  readonly value: number;
  readonly high?: number;
  readonly to: number;
  readonly isYear: boolean;
  readonly isOrdinal: boolean;
}

function numberAt(question: readonly Token[], at: number): Read | undefined {
  const { text } = question[at]!;
  const decade = /^(\d{3}0)s$/.exec(text);
  if (decade !== null)
    return {
      value: Number(decade[1]),
      high: Number(decade[1]) + (decade[1]!.endsWith('00') ? 99 : 9),
      to: at + 1,
      isYear: true,
      isOrdinal: false,
    };
  const place = ORDINALS.indexOf(text);
  if (place >= 0) return { value: place + 2, to: at + 1, isYear: false, isOrdinal: true };
  const ordinal = /^(\d{1,4})(?:st|nd|rd|th)$/.exec(text);
  if (ordinal !== null) return { value: Number(ordinal[1]), to: at + 1, isYear: false, isOrdinal: true };
  const base = /^\d[\d.,]*$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : text === 'one'
      ? undefined
      : WORDS.get(text);
  if (base === undefined || !Number.isFinite(base)) return undefined;
  const scale = SCALES.get(question[at + 1]?.text ?? '');
  const isYear = scale === undefined && /^(?:1\d{3}|20\d\d|21\d\d)$/.test(text);
  return { value: base * (scale ?? 1), to: at + (scale === undefined ? 1 : 2), isYear, isOrdinal: false };
}

function linkOf(question: readonly Token[], at: number, read: Read): NumberLink {
  let begin = at;
  while (begin > 0 && at - begin < 3 && SMALL.test(question[begin - 1]!.text)) begin -= 1;
  const before = BEFORE.flatMap(([words, op]) => matchBefore(question, begin, words, op))[0];
  let end = read.to;
  if (/^(?:percent|[%$€£])$/.test(question[end]?.text ?? '')) end += 1;
  const after = AFTER.flatMap(([words, op]) => matchAfter(question, end, words, op))[0];
  const compared =
    before === undefined
      ? ''
      : question
          .slice(before.from, begin)
          .map(({ text }) => text)
          .join(' ');
  const op = after?.op ?? before?.op ?? (read.high === undefined ? '=' : 'between');
  const isDecadeCompared = read.high !== undefined && op !== 'between';
  return {
    from: before?.from ?? at,
    to: after?.to ?? end,
    at,
    op,
    value: isDecadeCompared && (op === '>' || op === '<=') ? read.high : read.value,
    high: isDecadeCompared ? undefined : read.high,
    isYear: read.isYear,
    isOrdinal: read.isOrdinal,
    isQuantity: /\b(?:more|less|fewer|least|most|over|above|under|below) ?(?:than)?$/.test(compared),
    isCompared: before !== undefined || after !== undefined || read.high !== undefined,
    unit: unitNear(question, at, read.to),
  };
}

function unitNear(question: readonly Token[], at: number, to: number): string | undefined {
  const next = question[to]?.text;
  const before = question[at - 1]?.text ?? '';
  if (/^[$€£]$/.test(before)) return before;
  if (next === undefined) return undefined;
  if (next === 'percent') return '%';
  return /^[%$€£]$/.test(next) ? next : next;
}

function matchBefore(
  question: readonly Token[],
  end: number,
  words: RegExp,
  op: Comparison,
): { from: number; op: Comparison }[] {
  for (let from = Math.max(0, end - 4); from < end; from += 1) {
    const text = question
      .slice(from, end)
      .map((token) => token.text)
      .join(' ');
    const match = words.exec(text);
    if (match !== null && match.index === 0) return [{ from, op }];
  }
  return [];
}

function matchAfter(
  question: readonly Token[],
  begin: number,
  words: RegExp,
  op: Comparison,
): { to: number; op: Comparison }[] {
  // A unit may be between.
  for (const skipped of [0, 1]) {
    const text = question
      .slice(begin + skipped, begin + skipped + 2)
      .map((token) => token.text)
      .join(' ');
    if (words.test(text)) return [{ to: begin + skipped + 2, op }];
  }
  return [];
}

/** `between 3 and 5`, `from 1990 to 1995`. */
function asRange(question: readonly Token[], low: NumberLink, high: NumberLink): NumberLink | undefined {
  const joint = question
    .slice(low.to, high.at)
    .map(({ text }) => text)
    .filter((text) => !/^[$€£]$/.test(text))
    .join(' ');
  const before = question[low.at - 1]?.text ?? '';
  const opener = /^[$€£]$/.test(before) ? question[low.at - 2]?.text : before;
  const isRange =
    (opener === 'between' && (joint === 'and' || joint === 'to')) ||
    (opener === 'from' && /^(?:to|until|through|till)$/.test(joint)) ||
    (/^(?:to|through)$/.test(joint) && low.isYear === high.isYear);
  if (!isRange || high.value < low.value) return undefined;
  const from = opener === 'between' || opener === 'from' ? low.at - 1 : low.at;
  return {
    ...low,
    from,
    to: high.to,
    op: 'between',
    high: high.high ?? high.value,
    isCompared: true,
    unit: high.unit ?? low.unit,
  };
}
