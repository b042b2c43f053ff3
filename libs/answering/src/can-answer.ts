import { holdsAnswer } from './answer-hints.js';
import type { AnswerSort } from './answer-sort.js';
import { holdsSort } from './answer-sorts.js';
import { foldText } from './overlap.js';
import type { QuestionProfile } from './question-profile.js';
import { ROLE } from './roles.js';
import { numberOf } from './stated-numbers.js';

/** What is certainly no answer where it is lacking: these look alike in any text. */
export const CERTAIN_SORTS: readonly AnswerSort[] = ['phone', 'mail', 'clock', 'age', 'price', 'weight', 'temperature'];
/** What is told in numbers or names of days. */
export const NUMBER_SORTS: readonly AnswerSort[] = [
  'amount',
  'count',
  'duration',
  'extent',
  'length',
  'year',
  'day',
  'percent',
  'time',
];
/** A condition tells when something happens. */
const WHENEVER =
  /(?<!\p{L})(?:when(?:ever)?|if|while|during|wenn|falls|während|sobald|als|quand|lorsque|pendant|si|cuando|durante|mientras)(?!\p{L})/iu;
/** These are told in words as well: “at nine”. */
const COUNTED_SORTS: readonly AnswerSort[] = ['amount', 'count', 'duration', 'extent', 'time'];

/** Whether a text holds something of the sort that is asked for, beside what the question itself names. */
export function canAnswer({ kind, sort, terms }: QuestionProfile, text: string): boolean {
  if (kind === 'any' && !isOfNumbers(sort)) return true;
  // In German a unit is capitalised as a name is: “Wie viel Prozent”.
  const own = terms.filter(({ isName, isProper }) => (isOfNumbers(sort) ? isProper : isName));
  const known = new Set(own.map(({ form }) => form));
  const rest = text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (known.has(foldText(word)) ? '' : word));
  if (CERTAIN_SORTS.includes(sort) || sort === 'contact') return holdsSort(sort, rest);
  if (sort === 'time' && (WHENEVER.test(rest) || holdsAnswer('date', rest))) return true;
  if (NUMBER_SORTS.includes(sort))
    return holdsSort(sort, rest) || (COUNTED_SORTS.includes(sort) && countsInWords(rest));
  return holdsAnswer(kind, rest) || (kind === 'person' && ROLE.test(withoutTerms(rest, terms)));
}

/** Who the question itself names is no answer to it: “who is the dentist of the company”. */
function withoutTerms(text: string, terms: QuestionProfile['terms']): string {
  const known = new Set(terms.map(({ form }) => form));
  return text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (known.has(foldText(word)) ? '' : word));
}

/** Whether a number or something as certain is asked for. */
export function isOfNumbers(sort: AnswerSort): boolean {
  return NUMBER_SORTS.includes(sort) || CERTAIN_SORTS.includes(sort);
}

function countsInWords(text: string): boolean {
  return [...text.matchAll(/\p{L}+/gu)].some(([word]) => /^\d+$/.test(numberOf(word) ?? ''));
}
