import { CLAUSE_BEGINS, holdsAnswer } from './answer-hints.js';
import type { AnswerSort } from './answer-sort.js';
import { holdsSort } from './answer-sorts.js';
import { frameWeight } from './frame-words.js';
import { foldText } from './overlap.js';
import { TIMES, type QuestionProfile } from './question-profile.js';
import { ROLE } from './roles.js';
import { numberOf } from './stated-numbers.js';

/** A term of the question that the sources hold less than this far is lacking. */
const HELD = 0.4;
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

/** Where the words that name a thing end. */
const THING_ENDS = String.raw`(?= (?:in|into|at|on|onto|to|with|from|for|during|under|along|through|up|and|or|when|if|while|there|here|inside|outside|without|before|after|cost|per|an?)(?!\p{L})|\W*$)`;
const NOUNS = String.raw`((?:[\p{L}-]+ ){0,2}?[\p{L}-]+)`;
/** What may be brought, worn or used, or what costs something: “my cat”, “a helmet”. The last word names it. */
const THINGS: readonly RegExp[] = [
  new RegExp(
    String.raw`${CLAUSE_BEGINS}(?:(?:can|could|may|might) (?:i|we|you|one)|am i (?:allowed|permitted) to|are we (?:allowed|permitted) to|is it (?:ok(?:ay)?|fine|allowed|permitted) to) (?:do|(?:\p{L}+ ){1,2}?(?:my|our|their|an?|the|some|any)) ${NOUNS}${THING_ENDS}`,
    'iu',
  ),
  new RegExp(
    String.raw`(?:(?:what|how much) (?:does|do|is|are|did)(?: it(?: to \p{L}+)?(?: for)?)? an?|(?:price|cost) of(?: an?)?) ${NOUNS}${THING_ENDS}`,
    'iu',
  ),
  new RegExp(
    String.raw`${CLAUSE_BEGINS}(?:(?:is|are) there|(?:do|does|did) (?:(?:the|your|our|this) )?(?:\p{L}+ ){1,3}?(?:have|has|offer|provide|sell|rent|hire|stock)) (?:an?|any|some) ${NOUNS}${THING_ENDS}`,
    'iu',
  ),
  new RegExp(
    String.raw`how (?:high|tall|long|wide|deep|heavy|big|large|old) (?:may|can|must|should|might) (?:the|an?|my|our|your) ${NOUNS}(?= (?:in|at|on|of|for|be|get|grow|become|weigh|that|which)(?!\p{L})|\W*$)`,
    'iu',
  ),
  /(?:[Gg]ibt es|[Hh]at|[Hh]aben) (?:[\p{L}-]+ ){0,3}?(?:eine?n?|irgendeine?n?) (?:\p{Ll}+ )?(\p{Lu}[\p{L}-]+)/u,
  /(?:[Ww]ie (?:hoch|lang|breit|tief|schwer|groß|alt)) (?:darf|dürfen|kann|können|muss|müssen) (?:der|die|das|eine?|mein\p{L}*|unser\p{L}*) (?:\p{Ll}+ )?(\p{Lu}[\p{L}-]+)/u,
  /(?:y a-t-il|il y a|avez-vous|a-t-(?:il|elle)) (?:une?|des) (\p{L}+)/iu,
  /(?:¿|^)\s?(?:hay|tienen?|tenéis) (?:alg[úu]na?|una?) (\p{L}+)/iu,
  /(?:[Dd]arf|[Dd]ürfen|[Kk]ann|[Kk]önnen|kostet) (?:.{0,60} )?(?:mein\p{L}*|unser\p{L}*|eine?n?|mit|ohne) (?:\p{Ll}+ )?(\p{Lu}[\p{L}-]+)/u,
  /(?:peut-on|puis-je|pouvons-nous|peux|pouvons|coûte|coute|coûter) (?:\p{L}+ ){0,2}?(?:mon|ma|mes|une?|avec|sans) (\p{L}+)/iu,
  /(?:puedo|podemos|se puede|cuesta|costar) (?:\p{L}+ ){0,2}?(?:mi|mis|una?|con|sin) (\p{L}+)/iu,
];

/**
 * Whether no source holds the thing that is asked about with its words, where it is asked whether it may be brought or used, or what it costs:
 * the café in which “my cat” might be allowed says nothing of cats.
 * @param held how far any source holds each term of the question
 */
export function lacksThing({ text, terms }: QuestionProfile, held: readonly number[]): boolean {
  const named = THINGS.flatMap((pattern) => pattern.exec(text)?.[1]?.split(' ').at(-1) ?? []).map(foldText);
  return terms.some(
    ({ form, isProper }, at) =>
      named.includes(form) && !isProper && held[at]! < HELD && frameWeight(form) === 1 && !TIMES.test(form),
  );
}
