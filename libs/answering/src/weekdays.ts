import { foldText } from './overlap.js';
import type { Measure, Range } from './measure.js';

/** Folded names of the days from Monday on, with the ends of several of them. */
const DAYS: readonly RegExp[] = [
  /^(?:mondays?|montage?n?s?|lundis?|lunes)$/,
  /^(?:tuesdays?|dienstage?n?s?|mardis?|martes)$/,
  /^(?:wednesdays?|mittwoche?n?s?|mercredis?|miercoles)$/,
  /^(?:thursdays?|donnerstage?n?s?|jeudis?|jueves)$/,
  /^(?:fridays?|freitage?n?s?|vendredis?|viernes)$/,
  /^(?:saturdays?|samstage?n?s?|sonnabende?n?s?|samedis?|sabados?)$/,
  /^(?:sundays?|sonntage?n?s?|dimanches?|domingos?)$/,
];
const [LAST_WORKDAY, FIRST_OF_WEEKEND, LAST] = [4, 5, 6];
const UNIT = 'weekday';

const NAME = String.raw`(?<!\p{L})(\p{L}{5,12})`;
const SPAN = new RegExp(
  String.raw`${NAME}(?: (?:mornings?|evenings?|nights?))?(?: (?:to|till|until|through|thru|bis|a|au|al|hasta)(?: le| el)? |\s?[–-]\s?)(\p{L}{5,12})(?!\p{L})`,
  'gu',
);
const EACH_DAY =
  /(?<!\p{L})(?:every day|each day|daily|seven days a week|taglich\p{L}{0,2}|jeden tag|tous les jours|chaque jour|todos los dias|cada dia)(?!\p{L})/u;
const WORKDAYS =
  /(?<!\p{L})(?:weekdays?|working days|workdays?|werktags?|werktagen|wochentags?|wochentagen|jours ouvrables|dias laborables)(?!\p{L})/u;
const WEEKEND = /(?<!\p{L})(?:weekends?|wochenenden?|week-?ends?|fin de semana|fines de semana)(?!\p{L})/u;

/** A question that is answered by yes or no: its verb opens it. */
const ASKS_WHETHER =
  /^\W*(?:(?:and|but|so|und|aber|et|y)\s)?(?:is|are|do|does|did|can|could|will|would|may|have|has|was|were|ist|sind|habt?|haben|hat|gibt|kann|können|darf|dürfen|öffnet|macht|fährt|kommt|arbeitet|est-ce|y a-t-il|êtes-vous|hay|está|están|abren?)(?!\p{L})/iu;

/** The day of the week that a word of a question names, 0 for Monday; null where it names none. */
export function weekdayOf(question: string, form: string): Measure | null {
  const value = dayOf(foldText(form));
  return value < 0 ? null : { value, unit: UNIT, ...(ASKS_WHETHER.test(question) ? { isJudged: true } : {}) };
}

/**
 * The spans of days that a folded text tells of: “from Tuesday to Saturday”, “daily”, „am Wochenende“. A question whether something is open on another
 * day is answered by them, too.
 */
export function spansOfDays(folded: string): Range[] {
  const named = [...folded.matchAll(SPAN)].flatMap(([, first = '', last = '']): Range[] => {
    const [from, to] = [dayOf(first), dayOf(last)];
    if (from < 0 || to < 0) return [];
    return from <= to ? [span(from, to)] : [span(from, LAST), span(0, to)];
  });
  return [
    ...named,
    ...(EACH_DAY.test(folded) ? [span(0, LAST)] : []),
    ...(WORKDAYS.test(folded) ? [span(0, LAST_WORKDAY)] : []),
    ...(WEEKEND.test(folded) ? [span(FIRST_OF_WEEKEND, LAST)] : []),
  ];
}

/** Whether a range is one of days of the week. */
export function isOfDays({ unit }: Range): boolean {
  return unit === UNIT;
}

function span(least: number, most: number): Range {
  return { unit: UNIT, least, most };
}

function dayOf(folded: string): number {
  return DAYS.findIndex((day) => day.test(folded));
}
