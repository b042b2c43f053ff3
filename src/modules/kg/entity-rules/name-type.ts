import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { givenName } from './given-names.js';
import { AMBIGUOUS_PLACES, KNOWN_PLACES, PLACE_ENDING } from './known-places.js';
import {
  CONNECTORS,
  IS_SOMEWHERE,
  LEGAL_FORM,
  LIVES_SOMEWHERE,
  LOOSE_ORGANISATION_WORDS,
  LOOSE_PLACE_WORDS,
  NEVER_NAMES,
  ORGANISATION_COMPOUND,
  ORGANISATION_WORDS,
  PERSON_VERBS,
  PLACE_BEFORE,
  PLACE_FIRST,
  PLACE_SURE,
  PLACE_WORDS,
  PLACES_OF,
  PRODUCT_WORDS,
  SURE_TITLES,
} from './name-cues.js';
import type { Candidate, NameContext } from './name-context.js';
import { isOrdinaryAcronym, isOrdinaryWord } from './ordinary-words.js';
import { isCamelCase, KNOWN_SOFTWARE, PRODUCT_LAST, SOFTWARE_AND_WORDS } from './product-cues.js';
import type { Word } from './sentence-words.js';

/**
 * What a name names, and how far it is to be believed: `sure` by itself, `twice` where it returns, `alias` where it is a part of another name
 * only, `none` not at all.
 */
export interface NameType {
  readonly type: GraphEntityType | null;
  readonly trust: 'sure' | 'twice' | 'alias' | 'none';
}

const ACRONYM = /^[\p{Lu}][\p{Lu}\p{N}]{1,7}$/u;
const ARTICLES = new Set(['the', 'der', 'die', 'das', 'el', 'la']);
/** Written as names of places are: not `PostgreSQL`, `HTML`. */
const PLAIN = /^\p{Lu}\p{Ll}+(?:-\p{Lu}?\p{Ll}+)*$/u;
const POSTCODE = /^\d{5}$/u;
const NONE: NameType = { type: null, trust: 'none' };
const sure = (type: GraphEntityType | null): NameType => ({ type, trust: 'sure' });

/** What a candidate looks like. */
interface Looks {
  readonly name: readonly Word[];
  readonly lower: readonly string[];
  readonly last: string;
  /** The last word before `of` and its like. */
  readonly head: string;
  /** Words in front and behind, where they belong to the same line or cell. */
  readonly before: string;
  readonly after: string;
  /** Whether `the village of` or its like is in front. */
  readonly isOfPlace: boolean;
  /** How many of its words mean nothing by themselves, and how many it has, without numbers and connectors. */
  readonly unknown: number;
  readonly count: number;
  readonly isMeaningless: (word: Word) => boolean;
  readonly nouns: boolean;
  /** As the sentence has it. */
  readonly written: string;
}

export function typeOfName(context: NameContext, candidate: Candidate): NameType {
  const looks = looksOf(context, candidate);
  const { name, nouns } = looks;
  if (name.length === 1) return typeOfOne(context, looks, candidate);
  const told = typeToldByWords(looks, candidate);
  if (told !== null) return told;
  if (isFormula(looks)) return { type: null, trust: 'alias' };
  if (looks.unknown === 0) return nouns || isLabel(looks) ? NONE : { type: null, trust: 'alias' };
  if (nouns) return typeOfGerman(looks);
  return typeOfRunning(looks);
}

function looksOf({ sentence, words, use }: NameContext, { first, to }: Candidate): Looks {
  const name = words.slice(first, to + 1);
  const lower = name.map((word) => word.lower);
  const nouns = use.nounsInCapitals;
  const counted = name.filter((word) => word.capital && !CONNECTORS.has(word.lower));
  const isMeaningless = (word: Word): boolean => !isKnown(word, use, nouns);
  const next = words[to + 1];
  const last = lower.at(-1)!;
  return {
    name,
    lower,
    last,
    head: lower[lower.findIndex((word) => CONNECTORS.has(word)) - 1] ?? last,
    before: name[0]!.begins ? '' : (words[first - 1]?.lower ?? ''),
    after: next === undefined || next.begins ? '' : next.lower,
    isOfPlace: words[first - 1]?.lower === 'of' && PLACES_OF.has(words[first - 2]?.lower ?? ''),
    isMeaningless,
    unknown: counted.filter(isMeaningless).length,
    count: counted.length,
    nouns,
    written: sentence.slice(name[0]!.start, name.at(-1)!.end),
  };
}

/** A word that means something by itself, or that the text has in small letters too. */
function isKnown({ text, lower, piece }: Word, use: NameContext['use'], nouns: boolean): boolean {
  if (ACRONYM.test(text) && piece.prose) return isOrdinaryAcronym(lower);
  return NEVER_NAMES.has(lower) || isOrdinaryWord(lower, nouns) || (!nouns && use.small.has(lower));
}

function typeToldByWords(looks: Looks, { title, told }: Candidate): NameType | null {
  const { name, lower, last, unknown, before } = looks;
  const whole = lower.join(' ');
  if (isOrganisation(looks)) return sure('organisation');
  const isLetters = !/\d/u.test(whole);
  const isTitled = title === 'sure' || (title === 'loose' && unknown === looks.count && !isLabel(looks));
  if (isTitled && name.length <= 4 && isLetters) return sure('person');
  if (KNOWN_PLACES.has(whole)) return sure('place');
  if (unknown > 0 && looks.isOfPlace) return sure('place');
  if (unknown > 0 && told !== null) return sure(told);
  if (unknown > 0 && isPlace(looks)) return sure('place');
  if (/\d/u.test(last)) return unknown > 0 && !isCode(looks) && !isNumbered(looks) ? sure('product') : NONE;
  if (name.length > 1 && unknown > 0 && isBranch(looks)) return sure('organisation');
  const isProduct = PRODUCT_WORDS.has(before) || PRODUCT_LAST.has(last) || name.some(({ text }) => isCamelCase(text));
  return unknown > 0 && isProduct ? sure('product') : null;
}

function isPlace({ lower, last, before }: Looks): boolean {
  if (PLACE_FIRST.has(lower[0]!)) return true;
  return PLACE_WORDS.has(last) && (!LOOSE_PLACE_WORDS.has(last) || PLACE_BEFORE.has(before));
}

/** `MediWaste UK`: a company and where it works. */
function isBranch({ name }: Looks): boolean {
  return /^(?:UK|USA|EMEA|Europe|Europa|Deutschland|Germany|International|Worldwide)$/u.test(name.at(-1)!.text);
}

/** `ISO 9001`, `PO 7741`, `DE12 3456`: a norm, a file number, an account, and no product. */
function isCode({ name, isMeaningless, last }: Looks): boolean {
  return /^0|\d{5}/u.test(last) || name.every((word) => !/\p{Ll}/u.test(word.text) || !isMeaningless(word));
}

/** `Spur 2`, `Gangway 1`: in German one noun with a small number is one of several rather than a model. */
function isNumbered({ nouns, name, last }: Looks): boolean {
  return nouns && name.length === 2 && /^\d{1,2}$/u.test(last) && !isCamelCase(name[0]!.text);
}

function isOrganisation({ name, lower, last, head, unknown, nouns, written, before }: Looks): boolean {
  if (hasLegalForm(name)) return true;
  const from = LEGAL_FORM.test(name[0]!.text) ? [] : [lower[0]!];
  const kinds = [...from, last, head].filter((word) => ORGANISATION_WORDS.has(word));
  const others = unknown > 0 || lower.some((word) => KNOWN_PLACES.has(word));
  if (kinds.some((word) => !LOOSE_ORGANISATION_WORDS.has(word)) && (others || !name[0]!.begins)) return true;
  if (others && (kinds.includes(last) || kinds.includes(head) || (kinds.length > 0 && isOfSomething(lower))))
    return true;
  if (nouns && ORGANISATION_COMPOUND.test(lower[0]!) && others) return true;
  return / & /u.test(written) && unknown > 0 && (nouns || before !== '' || unknown === lower.length);
}

/** `WITNESS WHEREOF`: words of a sentence that are stressed by capitals, and not the acronyms of `IBM AIX`. */
function isFormula({ name }: Looks): boolean {
  const isStressed = name.every(({ text }) => !/\p{Ll}|\d/u.test(text)) && name.some(({ text }) => text.length > 6);
  return isStressed && name[0]!.piece.prose;
}

/** In a title in capitals `AB` and `SE` may be words: `GÜLTIG AB`. */
function hasLegalForm(name: readonly Word[]): boolean {
  const isTitle = name.every(({ text, piece }) => !piece.prose && !/\p{Ll}/u.test(text));
  return name.slice(1).some(({ text, lower }) => LEGAL_FORM.test(text) && !(isTitle && NEVER_NAMES.has(lower)));
}

/** `Office for …`, `Board of …`. */
function isOfSomething(lower: readonly string[]): boolean {
  return CONNECTORS.has(lower[1]!) || /^(?:for|für|para)$/u.test(lower[1]!);
}

/** In German a capital letter tells nothing: what nothing else tells is no name. */
function typeOfGerman({ after, before, unknown, count, name }: Looks): NameType {
  const isPerson = unknown === count && count <= 3 && name.every(({ text }) => !ACRONYM.test(text));
  if (isPerson && (PERSON_VERBS.has(after) || PERSON_VERBS.has(before))) return sure('person');
  return unknown === count ? { type: null, trust: 'twice' } : NONE;
}

/** Where a capital letter tells a name: in sentences, and of words that mean nothing by themselves. */
function typeOfRunning(looks: Looks): NameType {
  const { name, lower, last, head, before, after, unknown, count, written } = looks;
  const isPure = unknown === count;
  if (isLabel(looks)) return isPure ? { type: null, trust: 'twice' } : { type: null, trust: 'alias' };
  // `Project Marram`: inside a sentence the capital of an ordinary word belongs to a name, at the beginning it may not.
  if (!isPure && name[0]!.begins && isOrdinaryWord(lower[0]!, false)) return { type: null, trust: 'twice' };
  if (!isPure) return sure(null);
  if (PERSON_VERBS.has(after) || PERSON_VERBS.has(before)) return sure('person');
  if (PLACE_SURE.has(before) && name.length === 2 && name.every(({ text }) => PLAIN.test(text))) return sure('place');
  if (/ & /u.test(written) || ARTICLES.has(before)) return sure('organisation');
  const isOther = (word: string): boolean => /\d/u.test(word) || PLACE_WORDS.has(word) || ORGANISATION_WORDS.has(word);
  const looksLikePerson = name.length <= 3 && !lower.some(isOther) && head === last;
  if (!looksLikePerson || name.some(({ text }) => ACRONYM.test(text))) return sure(null);
  return sure('person');
}

/** A title, a label or a cell: there everything may be in capitals. */
function isLabel({ name }: Looks): boolean {
  return !name[0]!.piece.prose;
}

/** Whether what is in front of `in` says where something is or lives: `set in Datadog` may be a program. */
function isWhere({ sentence, words }: NameContext, { first, to }: Candidate): boolean {
  const verb = words[first - 2];
  if (verb !== undefined && LIVES_SOMEWHERE.has(verb.lower)) return true;
  if (verb !== undefined && IS_SOMEWHERE.has(verb.lower) && isSomebody(words[first - 3])) return true;
  const next = words[to + 1];
  return (
    /^, (?:an? |the )?/u.test(sentence.slice(words[to]!.end)) &&
    next !== undefined &&
    (next.capital || PLACES_OF.has(words[to + 2]?.lower ?? ''))
  );
}

/** Whether a word says who or what is somewhere: `The tickets are in Zammad` tells no place. */
function isSomebody(word: Word | undefined): boolean {
  if (word === undefined) return false;
  return LIVES_SOMEWHERE.has(word.lower) || /^(?:i|he|she|we|they|company|firm)$/u.test(word.lower) || isName(word);
}

function isName({ text, lower, begins }: Word): boolean {
  return LEGAL_FORM.test(text) || (!begins && PLAIN.test(text) && !isOrdinaryWord(lower, false));
}

function typeOfOne(context: NameContext, looks: Looks, candidate: Candidate): NameType {
  const { title, told } = candidate;
  const { name, last, before, after, nouns, unknown } = looks;
  const [word] = name;
  const isPlaced = PLACE_SURE.has(before) && PLAIN.test(word!.text);
  const isThere = isPlaced && (before !== 'in' || isWhere(context, candidate));
  const isAddressed = isPlaced || before === 'from' || PLACE_WORDS.has(before);
  if (title === 'sure' && word!.text.length > 2 && !NEVER_NAMES.has(last)) return sure('person');
  if (LEGAL_FORM.test(word!.text) || SURE_TITLES.has(last)) return NONE;
  if (told === 'product' && unknown > 0) return sure('product');
  if (KNOWN_PLACES.has(last)) return sure('place');
  if (AMBIGUOUS_PLACES.has(last)) {
    return isAddressed || POSTCODE.test(before) ? sure('place') : { type: null, trust: 'alias' };
  }
  if (KNOWN_SOFTWARE.has(last) && !(word!.begins && SOFTWARE_AND_WORDS.has(last))) return sure('product');
  if (nouns && isPlaced && PLACE_ENDING.test(last)) return sure('place');
  if (unknown === 0) return { type: null, trust: 'alias' };
  if (title === 'loose' && !isLabel(looks)) return sure('person');
  if (told !== null) return sure(told);
  if (PRODUCT_WORDS.has(before)) return sure('product');
  const isInside = !word!.begins && KNOWN_PLACES.has(after) && context.sentence.slice(word!.end).startsWith(', ');
  if (isInside || (isThere && !nouns) || (nouns && POSTCODE.test(before))) return sure('place');
  if (isCamelCase(word!.text) && !word!.begins) {
    // Companies have no article in English: `the MeterHub reader`.
    return { type: 'product', trust: !nouns && ARTICLES.has(before) ? 'sure' : 'twice' };
  }
  const isGiven = givenName(last) === 'sure' && (context.use.capital.has(last) || !word!.begins);
  if (isGiven) return { type: 'person', trust: isLabel(looks) || word!.begins ? 'twice' : 'sure' };
  return { type: null, trust: 'twice' };
}
