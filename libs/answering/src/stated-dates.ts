import { foldText } from './overlap.js';
import { plainNumber, type Quantity } from './written-numbers.js';

type Groups = Readonly<Record<string, string | undefined>>;

const DATES: readonly RegExp[] = [
  /(?<!\d)(?<y>\d{4})(?<mark>[-/.])(?<m>\d{1,2})\k<mark>(?<d>\d{1,2})(?!\d)/g,
  /(?<!\d)(?<d>\d{1,2})(?<mark>[-.])\s?(?<m>\d{1,2})\k<mark>\s?(?<y>\d{4}|\d{2})(?!\d)/g,
  /(?<!\d)(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<y>\d{4}|\d{2})(?!\d)/g,
  /(?<!\d)(?<y>\d{4})\s?年\s?(?<m>\d{1,2})\s?月(?:\s?(?<d>\d{1,2})\s?[日号號])?/gu,
  /(?<!\d)(?<m>\d{1,2})\s?月\s?(?<d>\d{1,2})\s?[日号號]/gu,
  /(?<![\d.,:])(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?!\d)/g,
  /(?<![\d/.,])(?<m>\d{1,2})\/(?<y>(?:19|20)\d{2})(?![\d/])/g,
  /(?<![\d/])(?<first>\d{1,2})\/(?<second>\d{1,2})(?![\d/])/g,
];
const MONTHS = monthsByWord([
  'january januar janvier enero gennaio janeiro januari',
  'february februar février febrero febbraio fevereiro februari',
  'march märz mars marzo maart',
  'april avril abril aprile',
  'may mai mayo maggio maio mei',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august août agosto augustus',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember décembre diciembre dicembre dezembro',
]);
const SHORT_MONTHS = monthsByWord([
  'jan janv ene',
  'feb febr févr',
  'mar mrz',
  'apr avr abr',
  'may',
  'jun',
  'jul juil',
  'aug ago',
  'sep sept',
  'oct okt',
  'nov',
  'dec dez déc dic',
]);
/** Months that are other words, too, when they are not capitalised. */
const WORDS_TOO: ReadonlySet<string> = new Set(['may', 'march', 'mars']);
const PLAIN_DATE =
  /(?<![\p{L}\d.,])(?:\d{1,2}(?:\.|st|nd|rd|th|er|º)? (?:de |of )?)?m\d{1,2}(?: \d{1,2}(?:st|nd|rd|th|(?=,? \d{4})))?(?:,? (?:de |of )?\d{4})?(?!\d)/gu;
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** Dates in digits and names of months, and the text without the former. A month is `m3`. */
export function readDates(text: string): { readonly found: readonly Quantity[]; readonly rest: string } {
  const found: Quantity[] = [];
  const rest = replaceDates(foldText(text), (groups, written) => {
    const alike = groups['y'] === undefined && written.endsWith('.') ? [plainNumber(written.slice(0, -1))] : [];
    found.push(...formsOf(groups).map((forms) => ({ forms: [...forms, ...alike], isTelling: true })));
    return ' | ';
  });
  return { found: [...found, ...monthsIn(text)], rest };
}

/** The text without its dates, in digits or with the name of a month. */
export function withoutDates(text: string): string {
  return withPlainDates(text).replace(PLAIN_DATE, ' | ');
}

/** The text with each date in digits as “15 m3 2025”, and each name of a month as `m3`, so that they are the same words. */
export function withPlainDates(text: string): string {
  const dates = replaceDates(text, ({ y, m, d, first, second }) => {
    const isMonthFirst = Number(second) > 12;
    const [day, month] = [d ?? (isMonthFirst ? second : first), m ?? (isMonthFirst ? first : second)];
    return [day, `m${Number(month)}`, y === undefined ? undefined : fullYear(y)].filter(Boolean).join(' ');
  });
  return dates.replace(WORD, (word, index: number) => {
    const month = monthAt(dates, word, index);
    return month?.isTelling === true ? `m${month.month}` : word;
  });
}

/** Whether a word is the name of a month, folded. */
export function isMonth(folded: string): boolean {
  return MONTHS.has(folded) || SHORT_MONTHS.has(folded);
}

function replaceDates(text: string, replaced: (groups: Groups, written: string) => string): string {
  return DATES.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (...match: unknown[]) => {
        const groups = match.at(-1) as Groups;
        return isDate(groups) ? replaced(groups, String(match[0])) : String(match[0]);
      }),
    text,
  );
}

function isDate({ m, d, first, second }: Groups): boolean {
  const isWithin = (day: string | undefined, month: string | undefined): boolean =>
    Number(month) >= 1 && Number(month) <= 12 && (day === undefined || (Number(day) >= 1 && Number(day) <= 31));
  return first === undefined ? isWithin(d, m) : isWithin(first, second) || isWithin(second, first);
}

/** Each part in the ways in which another text may state it; day and month between slashes are in either order. */
function formsOf({ y, m, d, first, second }: Groups): string[][] {
  const year = y === undefined ? [] : [[...new Set([fullYear(y), plainNumber(y)])]];
  if (first !== undefined && second !== undefined)
    return [...year, ...[first, second].map((part) => [plainNumber(part), `m${plainNumber(part)}`])];
  return [...year, [`m${plainNumber(m!)}`], ...(d === undefined ? [] : [[plainNumber(d)]])];
}

function fullYear(written: string): string {
  return written.length === 4 ? written : `20${written}`;
}

function monthsIn(text: string): Quantity[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }): Quantity[] => {
    const found = monthAt(text, word, index);
    return found === undefined ? [] : [{ forms: [`m${found.month}`], isTelling: found.isTelling }];
  });
}

/** The month that a word names; it tells nothing where the word may be another one. */
function monthAt(
  text: string,
  word: string,
  index: number,
): { readonly month: number; readonly isTelling: boolean } | undefined {
  if (word.length > 10) return undefined;
  const folded = foldText(word);
  const month = MONTHS.get(folded);
  if (month !== undefined) return { month, isTelling: !WORDS_TOO.has(folded) || (index > 0 && /^\p{Lu}/u.test(word)) };
  const short = SHORT_MONTHS.get(folded);
  if (short === undefined) return undefined;
  const [before, after] = [
    text.slice(Math.max(0, index - 3), index),
    text.slice(index + word.length, index + word.length + 3),
  ];
  return { month: short, isTelling: /\d\.? $/.test(before) || /^\.? \d/.test(after) };
}

function monthsByWord(table: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    table.flatMap((words, at) =>
      foldText(words)
        .split(' ')
        .map((word) => [word, at + 1] as const),
    ),
  );
}
