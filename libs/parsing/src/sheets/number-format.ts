import { dateNamesOf } from './format-language.js';
import { POINT_NOTATION, type NumberNotation } from './number-notation.js';
import { formatDate, isDateToken, tokenizeFormat, type DateOptions, type FormatToken } from './format-tokens.js';

/** Shows a number as a spreadsheet does. */
export type NumberFormatter = (value: number) => string;

export interface FormatOptions {
  /** Days are counted from 1904 instead of 1900. */
  date1904?: boolean;
  /** With a decimal point and commas unless said otherwise. */
  notation?: NumberNotation;
}

/** Longest format that the usual programs write. */
const MAX_FORMAT_UNITS = 255;
const MAX_DECIMALS = 15;

/** A number without a format: a whole one as it is kept, any other with at most 15 digits, as typed. */
export function formatGeneral(value: number, { decimal } = POINT_NOTATION): string {
  return String(asTyped(value)).replace('.', decimal);
}

/** Without the digits that a binary fraction adds. A whole number that is exact keeps all of its digits: it may be one of a card. */
function asTyped(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}

/**
 * Compiles a number format such as `#,##0.00 "€"`, `0%` or `yyyy-mm-dd`. Colours, conditions and fill characters are left
 * out; what would show nothing at all, and fractions, show the plain number. Never throws.
 */
export function compileNumberFormat(
  format: string,
  { date1904 = false, notation = POINT_NOTATION }: FormatOptions = {},
): NumberFormatter {
  const general: NumberFormatter = (value) => formatGeneral(value, notation);
  if (format.length > MAX_FORMAT_UNITS) return general;
  const options = { date1904, names: dateNamesOf(format), notation };
  const sections = tokenizeFormat(format).map((tokens) => compileSection(tokens, options));
  const [positive, negative, zero] = sections;
  if (positive === undefined) return general;
  return (value) => {
    if (!Number.isFinite(value)) return String(value);
    const hasOwn = value < 0 ? negative : value === 0 ? zero : undefined;
    const text = hasOwn === undefined ? positive(value) : hasOwn(Math.abs(value));
    return text === undefined || text.trim() === '' ? general(value) : text.trim();
  };
}

/** Undefined when the section cannot show the value. */
type Section = (value: number) => string | undefined;

interface SectionOptions extends DateOptions {
  readonly notation: NumberNotation;
}

function compileSection(tokens: readonly FormatToken[], options: SectionOptions): Section {
  const { notation } = options;
  if (tokens.some(isDateToken)) return (value) => formatDate(tokens, value, options);
  const isGeneral = tokens.some(({ kind }) => kind === 'general');
  if (isGeneral || tokens.some(({ kind }) => kind === 'text')) {
    return (value) => joinLiterals(tokens, formatGeneral(Math.abs(value), notation), value < 0);
  }
  if (tokens.some(({ kind }) => kind === 'fraction')) return () => undefined;
  if (!tokens.some(({ kind }) => kind === 'digit')) return () => literals(tokens);
  return compileDigits(tokens, notation);
}

/** The format's own text around the number. */
function joinLiterals(tokens: readonly FormatToken[], number: string, isNegative: boolean): string {
  const shown = tokens.map(({ kind, text }) => (kind === 'general' || kind === 'text' ? number : plain(kind, text)));
  return (isNegative ? '-' : '') + shown.join('');
}

function literals(tokens: readonly FormatToken[]): string {
  return tokens.map(({ kind, text }) => plain(kind, text)).join('');
}

function plain(kind: FormatToken['kind'], text: string): string {
  return kind === 'literal' || kind === 'percent' ? text : '';
}

function compileDigits(tokens: readonly FormatToken[], notation: NumberNotation): Section {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const exponent = tokens.findIndex(({ kind }) => kind === 'exponent');
  const isDecimal = (index: number): boolean => point >= 0 && index > point && (exponent < 0 || index < exponent);
  const digits = tokens.map(({ kind, text }, index) =>
    kind === 'digit' ? { text, isDecimal: isDecimal(index) } : null,
  );
  const decimals = Math.min(digits.filter((digit) => digit?.isDecimal === true).length, MAX_DECIMALS);
  const leastDecimals = digits.filter((digit) => digit?.isDecimal === true && digit.text !== '#').length;
  const leastWhole = digits.filter((digit) => digit?.isDecimal === false && digit.text === '0').length;
  const { groups, scale } = commas(tokens);
  const percents = tokens.filter(({ kind }) => kind === 'percent').length;
  return (value) => {
    if (exponent >= 0) return exponential(value, decimals).replace('.', notation.decimal);
    const scaled = (value * 100 ** percents) / 1000 ** scale;
    if (Math.abs(scaled) >= 1e21) return undefined;
    const [whole = '', fraction = ''] = round(Math.abs(scaled), decimals).split('.');
    const kept = trimZeros(fraction, leastDecimals);
    const isZero = !/[1-9]/.test(whole + fraction);
    const padded = (whole === '0' ? '' : whole).padStart(leastWhole, '0');
    const text = layOut(
      tokens,
      point,
      groups ? group(padded, notation) : padded,
      kept === '' ? '' : notation.decimal + kept,
    );
    return scaled < 0 && !isZero ? `-${text}` : text;
  };
}

/** Commas between digits group by thousands, those after the last digit divide by a thousand each. */
function commas(tokens: readonly FormatToken[]): { groups: boolean; scale: number } {
  const lastDigit = tokens.findLastIndex(({ kind }) => kind === 'digit');
  const isComma = (token: FormatToken): boolean => token.kind === 'comma';
  const first = tokens.findIndex(({ kind }) => kind === 'digit');
  const groups = tokens.slice(first, lastDigit).some(isComma);
  return { groups, scale: tokens.slice(lastDigit).filter(isComma).length };
}

/** Puts the digits of the whole part over its places from the right; what is left over is at the first place. `fraction` has its sign. */
function layOut(tokens: readonly FormatToken[], point: number, whole: string, fraction: string): string {
  const before = point < 0 ? tokens : tokens.slice(0, point);
  const first = before.findIndex(({ kind }) => kind === 'digit');
  const isSplit = before.some(({ kind }, index) => kind === 'literal' && index > first && isDigitAfter(before, index));
  let rest = whole;
  const shown: string[] = [];
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const { kind, text } = before[index]!;
    if (kind !== 'digit') shown.unshift(plain(kind, text));
    else if (index === first) shown.unshift(rest);
    else if (isSplit) {
      shown.unshift(rest.slice(-1));
      rest = rest.slice(0, -1);
    }
  }
  const after = point < 0 ? '' : literals(tokens.slice(point));
  if (first < 0) shown.push(whole);
  return shown.join('') + fraction + after;
}

function isDigitAfter(tokens: readonly FormatToken[], index: number): boolean {
  return tokens.slice(index).some(({ kind }) => kind === 'digit');
}

function group(digits: string, notation: NumberNotation): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, notation.group);
}

function trimZeros(fraction: string, least: number): string {
  let end = fraction.length;
  while (end > least && fraction[end - 1] === '0') end -= 1;
  return fraction.slice(0, end);
}

/** Half away from zero on the decimal digits, as spreadsheets round: 1.005 is 1.01. */
function round(value: number, decimals: number): string {
  const exact = asTyped(value);
  if (exact >= 1e15) return exact.toFixed(0);
  const shifted = Number(`${exact}e${decimals}`);
  const rounded = Number.isFinite(shifted) && shifted < 1e21 ? Number(`${Math.round(shifted)}e-${decimals}`) : exact;
  return rounded.toFixed(decimals);
}

function exponential(value: number, decimals: number): string {
  const [mantissa, exponent = '0'] = value.toExponential(decimals).split('e');
  const power = Number(exponent);
  return `${mantissa}E${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
