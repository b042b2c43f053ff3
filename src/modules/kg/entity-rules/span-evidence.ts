import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { personWithin } from './given-name-spans.js';
import { givenName } from './given-names.js';
import { KNOWN_PLACES } from './known-places.js';
import {
  COMPANY_COMPOUND,
  COMPANY_NOUN,
  COMPANY_ROLES,
  CONNECTORS,
  LEGAL_FORM,
  LOOSE_ORGANISATION_WORDS,
  NEVER_NAMES,
  NOUNS_BEFORE_NAMES,
  ORGANISATION_COMPOUND,
  ORGANISATION_WORDS,
  PERSON_TITLES,
  PERSON_VERBS,
  PLACE_WORDS,
  ROLE_ENDING,
  SURE_TITLES,
} from './name-cues.js';
import type { Candidate, NameContext } from './name-context.js';
import { typeOfName } from './name-type.js';
import type { NamedSpan } from './named-span.js';
import { isOrdinaryWord, isPlainNoun } from './ordinary-words.js';
import { PRODUCT_NOUN } from './product-cues.js';
import type { Word } from './sentence-words.js';

/** What a company does, in front of the name of who founded it: `Elektro Petersen GmbH`. */
const TRADE =
  /^(?:elektro|sanitär|auto|autohaus|bau|computer|foto|garten|glas|haustechnik|heizung|holz|maler|metall|möbel|optik|papier|reifen|reisen|stahl|technik|textil|transporte|umzüge)$/u;
const NUMBER = /^\p{N}[\p{N}\p{Lu}]{0,4}$/u;
const ACRONYM = /^[\p{Lu}][\p{Lu}\p{N}]{1,7}$/u;

/** What a run of capitalised words names: itself, or the part of it that is no ordinary word; null where nothing says that it is a name. */
export function spanOf(context: NameContext, from: number, to: number): NamedSpan | null {
  const { words, use } = context;
  let first = from;
  while (first <= to && NEVER_NAMES.has(words[first]!.lower) && !isGivenBefore(words[first]!, words[first + 1])) {
    first += 1;
  }
  let title = first > 0 ? titleOf(words[first - 1]!, words[first]) : null;
  while (first < to && PERSON_TITLES.has(words[first]!.lower) && !ACRONYM.test(words[first]!.text)) {
    title = titleOf(words[first]!, words[first + 1]);
    first += 1;
  }
  while (first <= to && !words[first]!.capital) first += 1;
  if (first > to) return null;
  if (title !== 'sure') {
    const inside = knownWithin(context, first, to);
    if (inside !== null) return inside;
  }
  const trimmed = withoutNouns(context, first, to);
  first = trimmed.first;
  const isWhole = LEGAL_FORM.test(words[to]!.text) || !words[first]!.begins || first === to;
  if (!isWhole && isOrdinaryHere(words[first]!, use) && words[first + 1]!.capital) first += 1;
  const last = title === 'sure' ? lastOfTitled(context, first, to) : to;
  return judge(context, { first, to: last, title, told: trimmed.told });
}

/** `Will Ferris`, `May Collins`: a small word that is a given name in front of a word that means nothing else. */
function isGivenBefore({ lower, end }: Word, next: Word | undefined): boolean {
  if (givenName(lower) === null || next === undefined || next.begins || next.start - end !== 1) return false;
  return /^\p{Lu}\p{Ll}/u.test(next.text) && !isOrdinaryWord(next.lower, true) && !NEVER_NAMES.has(next.lower);
}

function judge(context: NameContext, candidate: Candidate): NamedSpan | null {
  const { words, use } = context;
  const { first, to } = candidate;
  const name = words.slice(first, to + 1);
  const { type, trust } = typeOfName(context, candidate);
  if (trust === 'none') return null;
  const isTitled = candidate.title !== null && type === 'person';
  const span = { start: housedStart(context, first, to, type), end: words[to]!.end, type, isTitled };
  if (name.length > 1)
    return trust === 'alias' ? { ...span, certain: false, aliasOnly: true } : { ...span, certain: trust === 'sure' };
  const [word] = name;
  if (word!.text.length < 2 || NUMBER.test(word!.text)) return null;
  if (ACRONYM.test(word!.text)) return { ...span, certain: false, aliasOnly: trust === 'alias' };
  if (type !== null) return { ...span, certain: trust === 'sure' };
  if (word!.begins && (isOrdinaryHere(word!, use) || !use.capital.has(word!.lower))) return null;
  if (use.nounsInCapitals) return null;
  return { ...span, certain: false, aliasOnly: isOrdinaryWord(word!.lower, false) };
}

function titleOf(word: Word, next: Word | undefined): Candidate['title'] {
  // `HR` is a department, `Hr.` a title.
  if (next === undefined || next.begins || !PERSON_TITLES.has(word.lower) || ACRONYM.test(word.text)) return null;
  if (word.lower === 'rev' && !isClergy(word, next)) return null;
  return SURE_TITLES.has(word.lower) ? 'sure' : 'loose';
}

/** `Rev. Thomas Brown`; in the head of a drawing `Rev` is its revision. */
function isClergy({ end }: Word, next: Word): boolean {
  return next.start - end === '. '.length && givenName(next.lower) !== null;
}

/** A name behind a title ends where ordinary words begin; a family name may be one. */
function lastOfTitled({ words, use }: NameContext, first: number, to: number): number {
  const from = first + (givenName(words[first]!.lower) === null ? 1 : 2);
  for (let at = from; at <= to; at++) {
    if (!CONNECTORS.has(words[at]!.lower) && isOrdinaryWord(words[at]!.lower, use.nounsInCapitals)) return at - 1;
  }
  return to;
}

/** A word that is only in capitals because a sentence begins with it. */
function isOrdinaryHere(word: Word, use: NameContext['use']): boolean {
  return use.small.has(word.lower) || PERSON_VERBS.has(word.lower);
}

/** A person, or a place that everybody knows, with nothing but ordinary words around it. */
function knownWithin(context: NameContext, first: number, to: number): NamedSpan | null {
  const { words, use } = context;
  const name = words.slice(first, to + 1);
  const isOrganisation =
    name.length > 1 &&
    (name.some(({ text }) => LEGAL_FORM.test(text)) ||
      ORGANISATION_WORDS.has(name.at(-1)!.lower) ||
      (ORGANISATION_WORDS.has(name[0]!.lower) && !LOOSE_ORGANISATION_WORDS.has(name[0]!.lower)) ||
      ORGANISATION_COMPOUND.test(name[0]!.lower) ||
      PLACE_WORDS.has(name.at(-1)!.lower));
  if (isOrganisation || context.sentence.slice(words[first]!.start, words[to]!.end).includes(' & ')) return null;
  const person = personWithin(words, first, to);
  if (person !== null) return person;
  const isOrdinary = ({ lower }: Word): boolean => /\d/u.test(lower) || isOrdinaryWord(lower, use.nounsInCapitals);
  // `New York` is one name, although `New` is a word and `York` a place.
  const isKnownPlace = (from: number, end: number): boolean => {
    const inner = words.slice(from, end + 1).map(({ lower }) => lower);
    return KNOWN_PLACES.has(inner.join(' '));
  };
  let start = first;
  let end = to;
  while (end > start && isOrdinary(words[end]!) && !isKnownPlace(start, end)) end -= 1;
  while (start < end && isOrdinary(words[start]!) && !isKnownPlace(start, end)) start += 1;
  if (start === first && end === to) return null;
  // `Sofa Modell Verona`: what is in front says that it is no place.
  if (start > first && toldBy(words[start - 1]!.lower) === 'product') return null;
  if (!isKnownPlace(start, end)) return null;
  return { start: words[start]!.start, end: words[end]!.end, type: 'place', certain: true };
}

/** In German the nouns in front of a name say what it names, and are no part of it. */
function withoutNouns(
  { words, use }: NameContext,
  from: number,
  to: number,
): { readonly first: number; readonly told: GraphEntityType | null } {
  if (!use.nounsInCapitals) return { first: behindRole(words, from, to), told: null };
  const isCompany = LEGAL_FORM.test(words[to]!.text);
  let told: GraphEntityType | null = null;
  let first = from;
  while (first < to) {
    const { lower } = words[first]!;
    if (isCompany && !isNounBeforeCompany(words, first, to)) break;
    const says = toldBy(lower);
    const isKept = ORGANISATION_WORDS.has(lower) || ORGANISATION_COMPOUND.test(lower) || PLACE_WORDS.has(lower);
    if (says === null && (isKept || (!isCompany && !isOrdinaryWord(lower, true)))) break;
    told = says ?? told;
    first += 1;
    while (first < to && !words[first]!.capital) first += 1;
  }
  return { first, told };
}

/** `Recycling Partner Greenloop Ltd`: the company is behind what it is to others. */
function behindRole(words: readonly Word[], from: number, to: number): number {
  if (!LEGAL_FORM.test(words[to]!.text)) return from;
  for (let at = to - 2; at >= from; at--) {
    if (COMPANY_ROLES.has(words[at]!.lower)) return at + 1;
  }
  return from;
}

/** Only a plain noun is in front of a company; a compound may be its name: `Firma Reinwerk GmbH`, `Lichtwerk Vertriebs GmbH`. */
function isNounBeforeCompany(words: readonly Word[], first: number, to: number): boolean {
  const rest = words.slice(first + 1, to);
  const { lower: noun } = words[first]!;
  if (rest.every(({ lower }) => isPlainNoun(lower))) return false;
  return COMPANY_NOUN.test(noun) || (isPlainNoun(noun) && !TRADE.test(noun));
}

/** What a German noun says of the name behind it. */
function toldBy(lower: string): GraphEntityType | null {
  const told = NOUNS_BEFORE_NAMES.get(lower);
  if (told !== undefined) return told;
  if (ROLE_ENDING.test(lower)) return 'person';
  if (COMPANY_COMPOUND.test(lower)) return 'organisation';
  return PRODUCT_NOUN.test(lower) ? 'product' : null;
}

/** The number of a house in front of a street belongs to its name. */
function housedStart(
  { sentence, words }: NameContext,
  first: number,
  to: number,
  type: GraphEntityType | null,
): number {
  const number = words[first - 1];
  const isHouse = type === 'place' && number !== undefined && /^\d{1,4}\p{L}?$/u.test(number.text);
  const isNear = isHouse && sentence.slice(number.end, words[first]!.start) === ' ';
  return isNear && PLACE_WORDS.has(words[to]!.lower) ? number.start : words[first]!.start;
}
