import { wordForms } from '#libs/ranking';
import { asksWhetherAllowed } from './answer-hints.js';
import { foldText } from './overlap.js';
import { withPlainNumbers } from './stated-quantities.js';
import type { Measure, Range } from './measure.js';
import { isOfDays, spansOfDays } from './weekdays.js';

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
const DIGITS = String.raw`\d{1,15}(?:\.\d{1,15})?`;
const NUMBER = `(${DIGITS})`;
/** In front of a number that no word leads to. */
const START = String.raw`(?<![\p{L}\d.:])`;
const UNIT = String.raw`(?:[\s-]?(\p{L}{1,24}))`;
const AND = 'and|und|et|y';
const OR = 'or|oder|ou|o';
const TO = 'to|till|until|bis(?: zu)?|a|hasta';
/** “Between”, and a few words at most: “between the ages of 6 and 12 years”. */
const BETWEEN = String.raw`(?:between|zwischen|entre)(?: \p{L}{1,20}){0,3}`;
const AT_LEAST =
  'at least|a minimum of|minimum of|mindestens|wenigstens|ab|au moins|a partir de|al menos|por lo menos|como minimo';
const AT_MOST =
  'at most|a maximum of|maximum of|up to|hochstens|maximal|bis zu|au maximum|jusqu.a|au plus|como maximo|hasta';
/** These are bounds of the other side where they are denied: “not more than”, “nicht unter”. */
const MORE =
  'more than|over|above|exceeding|exceeds|longer than|older than|heavier than|larger than|' +
  'mehr als|uber|langer als|alter als|schwerer als|grosser als|plus de|mas de';
const LESS =
  'less than|fewer than|under|below|shorter than|younger than|lighter than|smaller than|' +
  'weniger als|unter|kurzer als|junger als|leichter als|kleiner als|moins de|menos de';
const DENIED = 'not|no|never|nicht|nie|pas|jamais|non|nunca';
/** The word behind which “over” tells how long something lasts: “the course runs over 3 days”. */
const LASTING = String.raw`(?<!(?<!\p{L})(?:geht|gehen|ging|lauft|laufen|lief|zieht sich|erstreckt sich|erstrecken sich|verteilt|runs?|ran|goes|go|extends?|spread|spreads|stretches|distributed)(?: \p{L}{1,20})? )`;
const RANGE = new RegExp(
  String.raw`(?<!\p{L})(?:${BETWEEN} ${NUMBER}${UNIT}? (?:${AND}|${TO}) |${START}${NUMBER}${UNIT}?(?: (?:${TO}) |\s?[–-]\s?))${NUMBER}${UNIT}`,
  'gu',
);
/** “24, 48 and 72 hours”: each of them, and nothing between. */
const SEVERAL = new RegExp(String.raw`${START}((?:${DIGITS}(?:, | (?:${AND}|${OR}) )){1,8})${NUMBER}${UNIT}`, 'gu');
const FROM = new RegExp(String.raw`(?<!\p{L})(?:${AT_LEAST}) ${NUMBER}${UNIT}`, 'gu');
const UP_TO = new RegExp(String.raw`(?<!\p{L})(?:${AT_MOST}) ${NUMBER}${UNIT}`, 'gu');
const OVER = new RegExp(String.raw`(?<!\p{L})(?:(${DENIED}) )?${LASTING}(?:${MORE}) ${NUMBER}${UNIT}`, 'gu');
const UNDER = new RegExp(String.raw`(?<!\p{L})(?:(${DENIED}) )?(?:${LESS}) ${NUMBER}${UNIT}`, 'gu');
const OR_MORE = new RegExp(
  String.raw`${START}${NUMBER}${UNIT} (?:${OR}) (?:more|over|older|longer|mehr|alter|langer|plus|mas)(?!\p{L})`,
  'gu',
);
const OR_LESS = new RegExp(
  String.raw`${START}${NUMBER}${UNIT} (?:${OR}) (?:less|fewer|under|younger|shorter|weniger|junger|kurzer|moins|menos)(?!\p{L})`,
  'gu',
);

const NO_UNIT = String.raw`(?![.,:]?\d)(?![\s-]?(?:%|\p{Sc}|(?:years?|jahre?n?|ans?|annees?|anos?|months?|monate?n?|mois|mes(?:es)?|weeks?|wochen?|days?|tagen?|hours?|stunden?|minutes?|minuten?|kilos?|kg|g|cm|km|m|met(?:er|re)s?|eur|euros?|pounds?|dollars?|prozent|per ?cent|persons?|personen?|people|leuten?)(?!\p{L})))`;
const CHILDREN =
  'child(?:ren)?|kids?|adolescents?|teenagers?|youths?|juniors?|minors?|seniors?|pensioners?|boys?|girls?|' +
  'kind(?:er)?n?|jugendlichen?|minderjahrigen?|senioren?|jungen|madchen|enfants?|adolescents?|jeunes|mineurs?|ninos?|ninas?|menores|jovenes|adolescentes';
/** Numbers that are ages without a unit: behind a word for age, or a bound behind a word for people of an age. */
const AGE = new RegExp(
  String.raw`(?<!\p{L})(?:(?:(?:under|below|over|above|from|until|up to|at least) the )?ages? of|aged?|ages|im alter|alter|ages? de|agees? de|age d.au moins|de edad|edad(?:es)?)(?: (?:of|from|between|under|over|below|above|up to|at least|von|ab|bis|bis zu|zwischen|unter|uber|mindestens|de|entre|desde|hasta)){0,2} ${DIGITS}(?:\s?(?:[–-]|to|and|or|till|bis|und|oder|a|et|ou|y|o)\s?${DIGITS})?${NO_UNIT}` +
    String.raw`|(?<!\p{L})(?:i am|i.m|(?:s?he|who) is|turned|turns|ich bin|bin|(?:er|sie) ist|wurde|wird)(?: (?:now|only|just|erst|schon|gerade|jetzt))? ${DIGITS}(?=[,.;!?]|$| (?:and|but|so|und|aber|last|this|next)(?!\p{L}))` +
    String.raw`|(?<!\p{L})(?:${CHILDREN}) (?:${BETWEEN}|from|under|below|over|above|up to|until|von|ab|unter|uber|bis|bis zu|zwischen|de moins de|de plus de|moins de|de|a partir de|menores de|mayores de|desde|hasta) ${DIGITS}(?:\s?(?:[–-]|to|and|till|bis|und|a|et|y)\s?${DIGITS})?${NO_UNIT}`,
  'gu',
);

const MEASURED = new RegExp(String.raw`(?<!\d)${DIGITS}(?!\d)`);

/** How much a question names with a number of it and the word that follows: “24 hours” by “24”. Null where no unit follows. */
export function measureOf(question: string, form: string): Measure | null {
  const folded = plain(question);
  const [number] = MEASURED.exec(plain(form)) ?? [];
  if (number === undefined) return null;
  const found = new RegExp(String.raw`(?<![\d.,:])${number.replace('.', String.raw`\.`)}${UNIT}`, 'u').exec(folded);
  if (found === null) return null;
  return asksWhetherAllowed(question)
    ? { ...toMeasure(number, found[1]!), isJudged: true }
    : toMeasure(number, found[1]!);
}

/** Whether one of these ranges holds the quantity: “between 48 and 6 hours” does for 24 hours, “at least two days” does not. */
export function isWithin(ranges: readonly Range[], { value, unit, step = 0, isJudged = false }: Measure): boolean {
  return ranges.some(
    (range) =>
      range.unit === unit &&
      Math.abs((range.step ?? 0) - step) <= FARTHEST_STEP &&
      ((range.least <= value && value <= range.most) || (isJudged && (isOpen(range) || isOfDays(range)))),
  );
}

function isOpen({ least, most }: Range): boolean {
  return least === 0 || most === Infinity;
}

/** The ranges of quantities that a text tells of. */
export function rangesOf(text: string): Range[] {
  const folded = plain(text);
  return [...rangesIn(folded), ...spansOfDays(folded)];
}

function rangesIn(folded: string): Range[] {
  const closed = [...folded.matchAll(RANGE)].flatMap(
    ([, between, betweenUnit, from, fromUnit, to = '', last = '']): Range[] => {
      const [one, other] = [toMeasure(between ?? from!, betweenUnit ?? fromUnit ?? last), toMeasure(to, last)];
      const [least, most] = [Math.min(one.value, other.value), Math.max(one.value, other.value)];
      return one.unit === other.unit ? [{ ...other, least, most }] : [];
    },
  );
  const rest = folded.replace(RANGE, ' | ');
  const several = [...rest.matchAll(SEVERAL)].flatMap(([, first = '', last = '', unit = '']) =>
    [...(first.match(/\d+(?:\.\d+)?/g) ?? []), last].map((number) => pointOf(toMeasure(number, unit))),
  );
  return [
    ...closed,
    ...several,
    ...[FROM, OR_MORE].flatMap((bound) => boundsIn(rest, bound, upFrom)),
    ...[UP_TO, OR_LESS].flatMap((bound) => boundsIn(rest, bound, downFrom)),
    ...deniableBoundsIn(rest, OVER, upFrom, downFrom),
    ...deniableBoundsIn(rest, UNDER, downFrom, upFrom),
  ];
}

type ToRange = (measure: Measure) => Range;

const upFrom: ToRange = (measure) => ({ ...measure, least: measure.value, most: Infinity });
const downFrom: ToRange = (measure) => ({ ...measure, least: 0, most: measure.value });
const pointOf: ToRange = (measure) => ({ ...measure, least: measure.value, most: measure.value });

function boundsIn(text: string, bound: RegExp, toRange: ToRange): Range[] {
  return [...text.matchAll(bound)].map(([, number = '', unit = '']) => toRange(toMeasure(number, unit)));
}

/** Bounds whose denial, where a word before denies them, is one of the other side. */
function deniableBoundsIn(text: string, bound: RegExp, said: ToRange, denied: ToRange): Range[] {
  return [...text.matchAll(bound)].map(([, denial, number = '', unit = '']) =>
    (denial === undefined ? said : denied)(toMeasure(number, unit)),
  );
}

function toMeasure(number: string, word: string): Measure {
  const step = TIMES.findIndex(([pattern]) => pattern.test(word));
  return step < 0
    ? { value: Number(number), unit: wordForms(word).stem }
    : { value: Number(number) * TIMES[step]![1], unit: 'time', step };
}

function plain(text: string): string {
  return withYearsOfAges(foldText(withPlainNumbers(text)).replace(/\s+/g, ' '));
}

/** “Aged 12 to 15” are years, and so are “children under 12”. */
function withYearsOfAges(folded: string): string {
  return folded.replace(AGE, (found) =>
    found.replace(/(?<=\d)(?![\d.])/gu, ' years').replace(/(?:the )?ages? of /u, ''),
  );
}
