import { detectLanguage } from '#libs/text';
import { localeOf } from './format-language.js';

/** The signs in numbers: between whole and fraction, and between groups of three digits. */
export interface NumberNotation {
  readonly decimal: string;
  readonly group: string;
}

export const POINT_NOTATION: NumberNotation = { decimal: '.', group: ',' };

/** What a workbook says about how its readers write numbers. */
export interface WorkbookWords {
  /** Language that the file names, as `de-DE`. */
  readonly language: string | undefined;
  /** Number formats of its own. */
  readonly formats: Iterable<string>;
  /** Some of its text. */
  readonly sample: string;
}

/** The language of so few words is a guess. */
const LEAST_CONFIDENCE = 0.5;
const LEAST_SAMPLE_UNITS = 60;
const MOST_FORMATS = 2_000;

/**
 * How numbers are written in a workbook, which is one way for all of it, so that columns can be compared: by the language that the file names, else
 * by the languages of its number formats (`[$€-407]`) where they agree, else by the language of its words.
 */
export function notationOf({ language, formats, sample }: WorkbookWords): NumberNotation {
  if (language !== undefined) {
    const named = signsOf(language);
    if (named !== undefined) return named;
  }
  const named: NumberNotation[] = [];
  let looked = 0;
  for (const format of formats) {
    looked += 1;
    if (looked > MOST_FORMATS) break;
    const locale = localeOf(format);
    const signs = locale === undefined ? undefined : signsOf(locale);
    if (signs !== undefined) named.push(signs);
  }
  if (named.length > 0 && named.every(({ decimal }) => decimal === named[0]!.decimal)) return named[0]!;
  if (sample.length < LEAST_SAMPLE_UNITS) return POINT_NOTATION;
  const guess = detectLanguage(sample);
  return (guess.confidence >= LEAST_CONFIDENCE ? signsOf(guess.language) : undefined) ?? POINT_NOTATION;
}

const known = new Map<string, NumberNotation | undefined>();

/** The signs of a language, or of one in a country; undefined where it is not known. */
function signsOf(locale: string): NumberNotation | undefined {
  if (!known.has(locale) && known.size < MOST_FORMATS) known.set(locale, readSigns(locale));
  return known.get(locale);
}

function readSigns(locale: string): NumberNotation | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(locale) || /^und/i.test(locale)) return undefined;
  if (Intl.NumberFormat.supportedLocalesOf([locale]).length === 0) return undefined;
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12_345_678.5);
  const sign = (type: 'decimal' | 'group'): string => parts.find((part) => part.type === type)?.value ?? '';
  const group = sign('group').replace('\u202f', '\u00a0');
  return sign('decimal') === ','
    ? { decimal: ',', group }
    : { ...POINT_NOTATION, ...(/['\u2019]/.test(group) && { group: "'" }) };
}
