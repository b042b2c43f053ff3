/** How the numbers of a column are written: `1,234.5` or `1.234,5`. Spaces and apostrophes group digits in both. */
export type NumberStyle = 'point' | 'comma';

/** A cell that is a number in at least one style. */
export interface NumberCell {
  /** The value in each style; undefined where the digits are not written in that style. */
  readonly point: number | undefined;
  readonly comma: number | undefined;
  /** Whether the value is whole in each style. */
  readonly wholePoint: boolean;
  readonly wholeComma: boolean;
  /** Whether the digits, by their signs, can only be of one style. */
  readonly decides: NumberStyle | undefined;
  /** In the brackets of a negative amount, in the style that groups its digits: amounts have no three decimals. */
  readonly accounts: NumberStyle | undefined;
  /** What is written beside the digits: `%`, `€`, `USD`, `kg`; empty when nothing is. */
  readonly unit: string;
  /** Digits as of a key: zeros in front, or more of them than a number keeps. */
  readonly isCode: boolean;
}

const CURRENCIES =
  '[$€£¥₹₽₩₺₴₫₪₱]|(?:US|A|C|CA|AU|NZ|HK|S|R)\\$|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|PLN|CZK|AUD|CAD|BRL|RUB|Rs\\.?|Fr\\.|kr\\.?';
const MAGNITUDES = new Map<string, number>([
  ...['thousand', 'thousands', 'tsd', 'tausend'].map((word) => [word, 1e3] as const),
  ...['million', 'millions', 'mio', 'mn', 'mln', 'millionen', 'millón', 'millones', 'mill'].map(
    (word) => [word, 1e6] as const,
  ),
  ...['billion', 'billions', 'bn', 'mrd', 'milliarde', 'milliarden', 'milliard', 'milliards', 'mld'].map(
    (word) => [word, 1e9] as const,
  ),
  ...['trillion', 'trillions', 'tn', 'bio', 'billionen'].map((word) => [word, 1e12] as const),
  ['lakh', 1e5],
  ['crore', 1e7],
]);
const SHORT_MAGNITUDES = new Map([
  ['k', 1e3],
  ['K', 1e3],
  ['m', 1e6],
  ['M', 1e6],
  ['B', 1e9],
  ['b', 1e9],
]);

const SHAPE = new RegExp(
  `^(\\()?([+-])?\\s?(${CURRENCIES})?\\s?([+-])?(\\d[\\d.,' ]*|[.,]\\d+)(e[+-]?\\d{1,3})?\\s?(.{0,24}?)(\\))?$`,
  'iu',
);
const CURRENCY = new RegExp(`^(?:${CURRENCIES})$`, 'iu');
const UNIT = /^(?:%|‰|°|°\s?[CFK]|[\p{L}µμΩ°][\p{L}µμ°²³./·]{0,15}(?:\s?\/\s?\d{0,4}\s?[\p{L}²³]{1,6})?)$/u;
/** `#11`, `No. 11` */
const NUMBER_SIGN = /^(?:#|№|n[ro°º]\.?)\s?(?=\d)/iu;
/** `€ (1,234.50)` and `(500) EUR`: the brackets of a negative amount beside its currency. */
const BRACKETS_BEHIND = new RegExp(`^(${CURRENCIES})\\s?\\(([^()]+)\\)$`, 'iu');
const BRACKETS_BEFORE = new RegExp(`^\\(([^()]+)\\)\\s?(${CURRENCIES})$`, 'iu');
/** `1.234,50-`, `12.00- EUR`, `500 €-`: the minus of a ledger. */
const MINUS_BEHIND = new RegExp(
  `^((?:${CURRENCIES})?\\s?\\d[\\d.,' ]*?)\\s?([-\u2212\u2013])\\s?(${CURRENCIES}|%)?$`,
  'iu',
);
const MINUS_BEHIND_UNIT = new RegExp(
  `^((?:${CURRENCIES})?\\s?\\d[\\d.,' ]*?\\s?(?:${CURRENCIES}|%))\\s?[-\u2212\u2013]$`,
  'iu',
);
/** `5,-` and `12.–`: no cents. */
const NO_CENTS = /(\d)[.,](?:-{1,2}|\u2013|\u2014)(?=\s|$|[^\d.,-])/u;
const OPEN_YEAR = /^(?:1[5-9]|2[01])\d\d$/;
const MAX_UNITS = 48;
const MAX_DIGITS = 15;
const ORDINAL = /^(\d{1,6})(?:st|nd|rd|th)$/i;

/** Reads a cell as a number; undefined when it is none. `text` is trimmed and carries no marks of notes. */
export function readNumber(text: string): NumberCell | undefined {
  if (text.length > MAX_UNITS) return undefined;
  const plain = bookkeepersSigns(plainSigns(text).replace(NUMBER_SIGN, ''));
  if (!/\d/.test(plain)) return undefined;
  const ordinal = ORDINAL.exec(plain) ?? /^(\d{1,4})\.$/.exec(plain);
  if (ordinal !== null) return wholeNumber(Number(ordinal[1]));
  const match = SHAPE.exec(plain);
  if (match === null) return undefined;
  const [, opened, signBefore, prefix = '', signWithin, digits = '', exponent = '', rest = '', closed] = match;
  if ((opened === undefined) !== (closed === undefined)) return undefined;
  const tail = readTail(rest.trim(), prefix);
  if (tail === undefined) return undefined;
  const sign = (signBefore ?? signWithin) === '-' || opened !== undefined ? -1 : 1;
  const body = digits.trim();
  const scale = (exponent === '' ? 1 : Number(`1${exponent}`)) * tail.scale * sign;
  const number = numberOf(body, scale, tail.unit, exponent !== '');
  if (opened === undefined || number === undefined) return number;
  const grouped = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(body)?.[1];
  return { ...number, accounts: grouped === undefined ? undefined : grouped === ',' ? 'point' : 'comma' };
}

function numberOf(body: string, scale: number, unit: string, isScientific: boolean): NumberCell | undefined {
  const point = digitsIn(body, '.', ',');
  const comma = digitsIn(body, ',', '.');
  if (point === undefined && comma === undefined) return undefined;
  const valueOf = (plain: string | undefined): number | undefined =>
    plain === undefined ? undefined : cleanFloat(Number(plain), scale);
  const first = point ?? comma!;
  const significant = first.replace(/^0+|\./g, '').length;
  const isKey = /^0\d\d/.test(first) && !first.includes('.');
  const values = { point: valueOf(point), comma: valueOf(comma) };
  return {
    ...values,
    wholePoint: values.point !== undefined && Number.isInteger(values.point) && !point!.includes('.'),
    wholeComma: values.comma !== undefined && Number.isInteger(values.comma) && !comma!.includes('.'),
    decides: point === undefined ? 'comma' : comma === undefined ? 'point' : undefined,
    accounts: undefined,
    unit,
    isCode: !isScientific && unit === '' && (isKey || (significant > MAX_DIGITS && !first.includes('.'))),
  };
}

function wholeNumber(value: number): NumberCell {
  return {
    point: value,
    comma: value,
    wholePoint: true,
    wholeComma: true,
    decides: undefined,
    accounts: undefined,
    unit: '',
    isCode: false,
  };
}

/** The digits with `.` for the decimal sign, when they are grouped as in a style; undefined otherwise. */
function digitsIn(body: string, decimal: '.' | ',', group: '.' | ','): string | undefined {
  const at = body.lastIndexOf(decimal);
  if (at !== body.indexOf(decimal)) return undefined;
  const whole = at < 0 ? body : body.slice(0, at);
  const fraction = at < 0 ? '' : body.slice(at + 1);
  if (at >= 0 && !/^\d+$/.test(fraction)) return undefined;
  if (whole !== '' && !/^\d+$/.test(whole) && !isGrouped(whole, group)) return undefined;
  const digits = whole.replace(/\D/g, '') || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** `1 234 567`, and also `12,34,567` as in India; the first group is no zero. */
function isGrouped(whole: string, group: string): boolean {
  const separator = /[^\d]/.exec(whole)?.[0];
  if (separator === undefined || (separator !== group && separator !== ' ' && separator !== "'")) return false;
  const parts = whole.split(separator);
  if (!parts.every((part) => /^\d+$/.test(part)) || parts[0]!.startsWith('0') || parts[0]!.length > 3) return false;
  const last = parts.at(-1)!;
  if (last.length !== 3) return false;
  const middle = parts.slice(1, -1);
  return (
    middle.every(({ length }) => length === 3) ||
    (separator === ',' && parts[0]!.length <= 2 && middle.every(({ length }) => length === 2))
  );
}

/** What is behind the digits: a magnitude, a unit or both; undefined when it is something else. */
function readTail(rest: string, prefix: string): { scale: number; unit: string } | undefined {
  if (rest === '') return { scale: 1, unit: prefix };
  const [first = '', ...others] = rest.split(/\s+/);
  const magnitude =
    MAGNITUDES.get(first.toLowerCase().replace(/\.$/, '')) ?? (prefix === '' ? undefined : SHORT_MAGNITUDES.get(first));
  const unit = magnitude === undefined ? rest : others.join(' ');
  if (unit === '') return { scale: magnitude ?? 1, unit: prefix };
  if (prefix !== '') return CURRENCY.test(unit) ? { scale: magnitude ?? 1, unit } : undefined;
  if (CURRENCY.test(unit) || UNIT.test(unit)) return { scale: magnitude ?? 1, unit };
  return undefined;
}

/** Products of decimal scales without the dust of binary fractions. */
function cleanFloat(value: number, scale: number): number {
  return Math.abs(scale) === 1 ? value * scale : Number((value * scale).toPrecision(15));
}

/** Signs that look alike as one; full-width and eastern digits as ASCII. */
function plainSigns(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/^([(]?\s?)[\u2212\u2013\u2012](?=[\s\d$€£¥.,])/u, '$1-');
}

/** The signs of negative amounts at other places as a minus in front. `1998-` is a span that is open, no amount. */
function bookkeepersSigns(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  if ((last > 0x2f && last < 0x3a) || !/[-(\u2212\u2013\u2014]/.test(text)) return text;
  const plain = text
    .replace(NO_CENTS, '$1')
    .replace(BRACKETS_BEHIND, '($1 $2)')
    .replace(BRACKETS_BEFORE, '($1 $2)')
    .replace(MINUS_BEHIND_UNIT, '-$1');
  const behind = MINUS_BEHIND.exec(plain);
  if (behind === null || OPEN_YEAR.test(behind[1]!)) return plain;
  return `-${behind[1]!} ${behind[3] ?? ''}`.trim();
}

/** Whether a unit is one of money. */
export function isCurrency(unit: string): boolean {
  return CURRENCY.test(unit);
}

/** `years` and `year` are one unit. */
export function sameUnit(one: string, other: string): boolean {
  return one === other || unitKey(one) === unitKey(other);
}

/** What units are compared by. */
export function unitKey(unit: string): string {
  const lower = unit.length > 2 ? unit.toLowerCase() : unit;
  return lower.length > 3 ? lower.replace(/s$/, '').replace(/\.$/, '') : lower;
}
