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

/** Begins a question or a clause of it: a *can* elsewhere may be part of a condition. */
const CLAUSE_BEGINS = String.raw`(?:^|[,;:.!?¿¡—–])[\s"'“«¿¡(]{0,8}(?:(?:and|but|so|und|aber|et|mais|y|pero) )?`;
const ASKS_PERMISSION = new RegExp(
  String.raw`${CLAUSE_BEGINS}(?:(?:can|could|may|might) (?:i|we|you|one|my|our|a|an|the|\p{L}+s)|am i (?:\p{L}+ )?(?:allowed|permitted)|are (?:we|\p{L}+s) (?:\p{L}+ )?(?:allowed|permitted)|is (?:it|one) (?:\p{L}+ )?(?:allowed|permitted|forbidden|ok(?:ay)?|fine)|(?:darf|dürfen|kann|können) (?:ich|wir|man|mein\p{L}*|unser\p{L}*|der|die|das)|ist es (?:\p{L}+ )?(?:erlaubt|gestattet|verboten)|(?:est-ce qu(?:e |['’]))?(?:on peut|je peux|nous pouvons)|peut-on|puis-je|pouvons-nous|a-t-on le droit|est-il (?:permis|interdit|possible)|puedo|podemos|se puede\p{L}*|est[áa] (?:permitido|prohibido))(?!\p{L})|可以|能不能|能否|允许`,
  'iu',
);
/** The month is no “may”. */
const RULES =
  /(?<!\p{L})(?:(?<!(?:\d|\d\.|in|of|from|until|till|by|since|during|before|after|early|late|mid|each|every|last|next|this)[\s-])may(?! \d)(?: not| never| only)?(?= )|(?:must|can)(?: not| never| only)?(?= )|cannot|allowed|permitted|forbidden|prohibited|banned|admitted|accepted|not (?:be )?(?:possible|wanted)|welcome|darf|dürfen|erlaubt|gestattet|zulässig|verboten|untersagt|unzulässig|nicht möglich|interdit\p{L}*|permis\p{L}*|autorisé\p{L}*|défendu\p{L}*|(?:ne )?(?:peut|peuvent|doit|doivent)|prohibid[oa]s?|permitid[oa]s?|se permiten?|admiten?|no se (?:puede|permite|admite)\p{L}*|puede[ns]?)(?!\p{L})|不得|禁止|可以|允许|不许/iu;

/** Whether a question asks if something may be done. */
export function asksWhetherAllowed(question: string): boolean {
  return ASKS_PERMISSION.test(question);
}

/** Whether a statement allows or forbids something. */
export function saysWhetherAllowed(statement: string): boolean {
  return RULES.test(statement);
}
