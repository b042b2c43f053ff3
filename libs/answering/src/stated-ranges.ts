import { wordForms } from '#libs/ranking';
import { foldText } from './overlap.js';
import { withPlainNumbers } from './stated-quantities.js';

/** So much of something: in minutes where it is a time. */
export interface Measure {
  readonly value: number;
  /** The stem of its unit; `time` for all units of time. */
  readonly unit: string;
  /** Of a time: how great its unit is among those of time, 0 for minutes. */
  readonly step?: number;
}

interface Range extends Pick<Measure, 'unit' | 'step'> {
  readonly least: number;
  readonly most: number;
}

/** Hours are compared with days and weeks, not with years: the age of a child is no delay. */
const FARTHEST_STEP = 2;

/** Folded beginnings of units of time, in minutes. A month has thirty days, a year twelve months. */
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/^(?:min|minut(?:e|en|es|o|os)s?)$/, 1],
  [/^(?:hours?|hrs?|stunden?|heures?|horas?)$/, 60],
  [/^(?:days?|tag(?:e|en)?|jours?|dias?)$/, 1_440],
  [/^(?:weeks?|wochen?|semaines?|semanas?)$/, 10_080],
  [/^(?:months?|monat(?:e|en)?|mois|mes(?:es)?)$/, 43_200],
  [/^(?:years?|jahr(?:e|en)?|ans?|annees?|anos?)$/, 525_600],
];
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const UNIT = String.raw`(?:[\s-]?(\p{L}{1,24}))`;
const FROM = 'between|from|zwischen|von|entre|de|del?';
const TO = 'and|to|till|until|und|bis(?: zu)?|et|a|y|hasta';
const LEAST =
  'at least|a minimum of|minimum of|no less than|not less than|no fewer than|more than|over|above|exceeding|exceeds|longer than|older than|heavier than|larger than|' +
  'mindestens|wenigstens|mehr als|uber|langer als|alter als|schwerer als|grosser als|ab|au moins|plus de|a partir de|al menos|por lo menos|como minimo|mas de';
const MOST =
  'at most|a maximum of|maximum of|up to|no more than|not more than|less than|fewer than|under|below|shorter than|younger than|lighter than|smaller than|' +
  'hochstens|nicht mehr als|weniger als|unter|bis zu|kurzer als|junger als|leichter als|au maximum|moins de|pas plus de|jusqu.a|como maximo|menos de|no mas de|hasta';
const BOTH = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${FROM}) )?${NUMBER}${UNIT}?(?: (?:${TO}) |\s?[–-]\s?)${NUMBER}${UNIT}`,
  'gu',
);
const AT_LEAST = new RegExp(String.raw`(?<!\p{L})(?:${LEAST}) ${NUMBER}${UNIT}`, 'gu');
const AT_MOST = new RegExp(String.raw`(?<!\p{L})(?:${MOST}) ${NUMBER}${UNIT}`, 'gu');
const OR_MORE = new RegExp(
  String.raw`${NUMBER}${UNIT} (?:or|und|oder|ou|o) (?:more|over|older|longer|mehr|alter|langer|plus|mas)(?!\p{L})`,
  'gu',
);
const OR_LESS = new RegExp(
  String.raw`${NUMBER}${UNIT} (?:or|und|oder|ou|o) (?:less|fewer|under|younger|shorter|weniger|junger|kurzer|moins|menos)(?!\p{L})`,
  'gu',
);

/** How much a question names with a number of it and the word that follows: “24 hours” by “24”. Null where no unit follows. */
export function measureOf(question: string, form: string): Measure | null {
  const folded = plain(question);
  const [number] = /\d+(?:\.\d+)?/.exec(plain(form)) ?? [];
  if (number === undefined) return null;
  const found = new RegExp(String.raw`(?<![\d.,:])${number.replace('.', String.raw`\.`)}${UNIT}`, 'u').exec(folded);
  return found === null ? null : toMeasure(number, found[1]!);
}

/** Whether a text tells what holds for so much: “between 48 and 6 hours” does for 24 hours, “at least two days” does not. */
export function coversMeasure(text: string, { value, unit, step = 0 }: Measure): boolean {
  return rangesIn(plain(text)).some(
    (range) =>
      range.unit === unit &&
      Math.abs((range.step ?? 0) - step) <= FARTHEST_STEP &&
      range.least <= value &&
      value <= range.most,
  );
}

function rangesIn(folded: string): Range[] {
  const closed = [...folded.matchAll(BOTH)].flatMap(([, one = '', unit, other = '', last = '']): Range[] => {
    const [from, to] = [toMeasure(one, unit ?? last), toMeasure(other, last)];
    const [least, most] = [Math.min(from.value, to.value), Math.max(from.value, to.value)];
    return from.unit === to.unit ? [{ ...to, least, most }] : [];
  });
  const rest = folded.replace(BOTH, ' | ');
  const boundsOf = (patterns: readonly RegExp[]): Measure[] =>
    patterns.flatMap((pattern) => [...rest.matchAll(pattern)].map(([, one = '', unit = '']) => toMeasure(one, unit)));
  const up = boundsOf([AT_LEAST, OR_MORE]).map((one) => ({ ...one, least: one.value, most: Infinity }));
  const down = boundsOf([AT_MOST, OR_LESS]).map((one) => ({ ...one, least: 0, most: one.value }));
  return [...closed, ...up, ...down];
}

function toMeasure(number: string, word: string): Measure {
  const step = TIMES.findIndex(([pattern]) => pattern.test(word));
  return step < 0
    ? { value: Number(number), unit: wordForms(word).stem }
    : { value: Number(number) * TIMES[step]![1], unit: 'time', step };
}

function plain(text: string): string {
  return foldText(withPlainNumbers(text)).replace(/\s+/g, ' ');
}
