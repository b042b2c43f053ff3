import type { DateNames } from './format-language.js';

/** A piece of a number format. */
export interface FormatToken {
  kind:
    | 'literal'
    | 'digit'
    | 'point'
    | 'comma'
    | 'percent'
    | 'exponent'
    | 'fraction'
    | 'text'
    | 'general'
    | 'date'
    | 'elapsed'
    | 'half-day';
  text: string;
}

const TOKEN =
  /"([^"]*)"?|\\(.)|[_*](.)|\[(h+|m+|s+)\]|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(general)|(am\/pm|a\/p)|(e[+-])|(s+\.0+|[ymdhsebg]+)|([0#?])|(\.)|(,)|(%)|(\/)|(@)|([^])/giu;

/** Splits a format into its sections and those into tokens. */
export function tokenizeFormat(format: string): FormatToken[][] {
  const sections: FormatToken[][] = [[]];
  for (const match of format.matchAll(TOKEN)) {
    if (match[0] === ';') {
      sections.push([]);
      continue;
    }
    const section = sections.at(-1)!;
    for (const token of tokensOf(match)) section.push(token);
  }
  for (const section of sections) settleSlashes(section);
  return sections;
}

function tokensOf(match: RegExpExecArray): FormatToken[] {
  const [whole, quoted, escaped, filler, elapsed, currency, general, halfDay, exponent, date, digit] = match;
  const literal = quoted ?? escaped ?? currency;
  if (literal !== undefined) return [{ kind: 'literal', text: literal }];
  if (filler !== undefined) return [];
  if (elapsed !== undefined) return [{ kind: 'elapsed', text: elapsed.toLowerCase() }];
  if (general !== undefined) return [{ kind: 'general', text: '' }];
  if (halfDay !== undefined) return [{ kind: 'half-day', text: halfDay }];
  if (exponent !== undefined) return [{ kind: 'exponent', text: '' }];
  if (date !== undefined) return dateTokens(date.toLowerCase());
  if (digit !== undefined) return [{ kind: 'digit', text: digit }];
  const kinds: [string, FormatToken['kind']][] = [
    ['.', 'point'],
    [',', 'comma'],
    ['%', 'percent'],
    ['/', 'fraction'],
    ['@', 'text'],
  ];
  const kind = kinds.find(([sign]) => sign === whole)?.[1];
  if (kind !== undefined) return [{ kind, text: whole }];
  return whole.startsWith('[') ? [] : [{ kind: 'literal', text: whole }];
}

/** `ddmmyyyy` is three tokens; signs of eras and of Buddhist years have none. */
function dateTokens(text: string): FormatToken[] {
  if (text.includes('.')) return [{ kind: 'date', text }];
  const runs = text.match(/y+|m+|d+|h+|s+|e+/g) ?? [];
  return runs.map((run) => ({ kind: 'date' as const, text: run.startsWith('e') ? 'yyyy' : run }));
}

/** In a date a slash is a slash, in a number it makes a fraction. Points and commas in dates are what they are. */
function settleSlashes(section: FormatToken[]): void {
  if (!section.some(isDateToken)) return;
  for (const token of section) {
    if (token.kind === 'fraction' || token.kind === 'point' || token.kind === 'comma') token.kind = 'literal';
  }
}

export function isDateToken({ kind }: FormatToken): boolean {
  return kind === 'date' || kind === 'elapsed' || kind === 'half-day';
}

const DAY_MS = 86_400_000;
/** 31 December 9999, the last day that spreadsheets know. */
const MAX_SERIAL = 2_958_466;

/** How the days of a workbook are counted, and what its format calls them. */
export interface DateOptions {
  readonly date1904: boolean;
  readonly names: DateNames;
}

/** A count of days as date and time; undefined when it is none. */
export function formatDate(
  tokens: readonly FormatToken[],
  value: number,
  { date1904, names }: DateOptions,
): string | undefined {
  const elapsedOnly = tokens.some(({ kind }) => kind === 'elapsed');
  if (value >= MAX_SERIAL || (value < 0 && !elapsedOnly)) return undefined;
  const date = dateOfSerial(
    value,
    date1904,
    tokens.some(({ text }) => text.startsWith('s.')),
  );
  const isHalfDay = tokens.some(({ kind }) => kind === 'half-day');
  const hasDay = tokens.some(({ kind, text }) => kind === 'date' && /^d{1,2}$/.test(text));
  const part = (token: string, asMinutes: boolean): string =>
    nameOf(token, date, { names, hasDay, asMinutes }) ?? datePart(token, date, isHalfDay, asMinutes);
  return tokens
    .map((token, index) => {
      if (token.kind === 'elapsed') return elapsedPart(token.text, value);
      if (token.kind === 'half-day') return date.getUTCHours() < 12 ? 'AM' : 'PM';
      if (token.kind === 'date') return part(token.text, isMinutes(tokens, index));
      return token.kind === 'digit' ? '' : token.text;
    })
    .join('');
}

/** The moment of a serial number; without fractions it is rounded to the second, since half a day has no exact number. */
export function dateOfSerial(value: number, date1904: boolean, withFractions = false): Date {
  const serial = date1904 ? value + 1462 : value;
  // The calendar of 1900 has a 29 February that never was.
  const days = serial < 60 ? serial + 1 : serial;
  const unit = withFractions ? 1 : 1000;
  return new Date(Math.round((Date.UTC(1899, 11, 30) + days * DAY_MS) / unit) * unit);
}

/** `m` means minutes beside hours or before seconds. */
function isMinutes(tokens: readonly FormatToken[], index: number): boolean {
  if (!tokens[index]!.text.startsWith('m')) return false;
  const before = tokens.slice(0, index).findLast(isDateToken)?.text ?? '';
  const after = tokens.slice(index + 1).find(isDateToken)?.text ?? '';
  return before.startsWith('h') || after.startsWith('s');
}

/** The name of a month or a day of the week; undefined for numbers. */
function nameOf(
  token: string,
  date: Date,
  { names, hasDay, asMinutes }: { names: DateNames; hasDay: boolean; asMinutes: boolean },
): string | undefined {
  if (token.length < 3) return undefined;
  const length = token.length === 3 ? 'short' : 'long';
  if (token.startsWith('d')) return names.day(date.getUTCDay(), length);
  return token.startsWith('m') && !asMinutes ? names.month(date.getUTCMonth(), length, hasDay) : undefined;
}

function datePart(token: string, date: Date, isHalfDay: boolean, asMinutes: boolean): string {
  const pad = (number: number): string => String(number).padStart(Math.min(token.length, 2), '0');
  switch (token[0]) {
    case 'y':
      return token.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0');
    case 'd':
      return pad(date.getUTCDate());
    case 'h':
      return pad(isHalfDay ? date.getUTCHours() % 12 || 12 : date.getUTCHours());
    case 's':
      if (!token.includes('.')) return pad(date.getUTCSeconds());
      return (date.getUTCSeconds() + date.getUTCMilliseconds() / 1000)
        .toFixed(Math.min(token.length - token.indexOf('.') - 1, 3))
        .padStart(token.length, '0');
    default:
      return pad(asMinutes ? date.getUTCMinutes() : date.getUTCMonth() + 1);
  }
}

function elapsedPart(token: string, value: number): string {
  const perDay = { h: 24, m: 24 * 60, s: 24 * 3600 }[token[0] as 'h' | 'm' | 's'];
  return String(Math.floor(value * perDay + 1e-6)).padStart(token.length, '0');
}
