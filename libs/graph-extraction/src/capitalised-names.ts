import type { GraphEntityType } from './extracted.js';
import { KNOWN_PLACES, PLACE_ENDING } from './known-places.js';
import {
  CONNECTORS,
  NEVER_NAMES,
  NOUNS_BEFORE_NAMES,
  ORGANISATION_WORDS,
  PERSON_TITLES,
  PERSON_VERBS,
  PLACE_SURE,
  PLACE_WORDS,
  PRODUCT_WORDS,
  ROLE_ENDING,
} from './name-cues.js';
import type { NamedSpan } from './named-span.js';

/** A word of a sentence. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Begins with a capital letter. */
  readonly capital: boolean;
}

/** How words stand elsewhere in the same text. */
export interface WordUse {
  /** Words seen with a small first letter. */
  readonly small: ReadonlySet<string>;
  /** Words seen in capitals where no sentence begins. */
  readonly capital: ReadonlySet<string>;
  /** Nouns have capitals, so that a single one tells nothing. */
  readonly nounsInCapitals: boolean;
}

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’.&-][\p{L}\p{M}\p{N}]+)*|\p{N}[\p{L}\p{M}\p{N}]*/gu;
const CAPITAL = /^\p{Lu}/u;
const NUMBER = /^\p{N}[\p{N}\p{Lu}]{0,4}$/u;
const ACRONYM = /^[\p{Lu}][\p{Lu}\p{N}]{1,7}$/u;
const APOSTROPHE = /['’]/u;
const MOST_WORDS = 7;
/** Inside the name of an organisation that begins with what it is: `Office for …`. */
const PURPOSE = new Set(['for', 'für', 'para']);
const ARTICLES = new Set(['the', 'der', 'die', 'das', 'el', 'la']);

/** The words of a sentence. In Turkish what follows an apostrophe is an ending and no part of a name. */
export function wordsOf(sentence: string, language: string): Word[] {
  return [...sentence.matchAll(WORD)].map((match) => {
    let text = match[0].replace(/['’]s?$/u, '');
    if (language === 'tr') text = text.split(APOSTROPHE)[0]!;
    return {
      text,
      lower: text.toLowerCase(),
      start: match.index,
      end: match.index + text.length,
      capital: CAPITAL.test(text),
    };
  });
}

/** Names that are told by their capital letters. */
export function findCapitalised(sentence: string, words: readonly Word[], use: WordUse): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!words[at]!.capital) continue;
    const end = runEnd(sentence, words, at, use);
    const span = spanOf(sentence, words, at, end, use);
    if (span !== null) found.push(span);
    at = end;
  }
  return found;
}

/** Index of the last word of the run of a name that begins at `at`. */
function runEnd(sentence: string, words: readonly Word[], at: number, { nounsInCapitals }: WordUse): number {
  const isOrganisation = ORGANISATION_WORDS.has(words[at]!.lower);
  let last = at;
  for (let next = at + 1; next < words.length && next - at < MOST_WORDS; next++) {
    const gap = sentence.slice(words[next - 1]!.end, words[next]!.start);
    const isAbbreviated = gap === '. ' && words[next - 1]!.text.length <= 2;
    if (gap !== ' ' && gap !== ' & ' && !isAbbreviated) break;
    const word = words[next]!;
    if (word.capital) last = next;
    else if (NUMBER.test(word.text)) return last === next - 1 ? next : last;
    else if (!CONNECTORS.has(word.lower) && !(PURPOSE.has(word.lower) && isOrganisation)) break;
    else if (word.lower === 'of' && !isKind(words[next - 1]!)) break;
    else if (nounsInCapitals && word.lower !== 'von' && word.lower !== 'van') break;
  }
  return last;
}

function spanOf(sentence: string, words: readonly Word[], from: number, to: number, use: WordUse): NamedSpan | null {
  let first = from;
  while (first <= to && NEVER_NAMES.has(words[first]!.lower)) first += 1;
  let title = first > 0 && PERSON_TITLES.has(words[first - 1]!.lower);
  while (first < to && PERSON_TITLES.has(words[first]!.lower)) {
    title = true;
    first += 1;
  }
  while (first <= to && !words[first]!.capital) first += 1;
  const told = first < to && use.nounsInCapitals ? toldBy(words[first]!) : null;
  if (told !== null) first += 1;
  const beginsSentence = first === 0;
  if (beginsSentence && first < to && isOrdinary(words[0]!, use) && words[1]!.capital) first += 1;
  if (first > to) return null;
  const name = words.slice(first, to + 1);
  const before = words[first - 1]?.lower ?? '';
  const after = words[to + 1]?.lower ?? '';
  const written = sentence.slice(words[first]!.start, words[to]!.end);
  const type = told ?? typeOf(name, { before, after, title, written, nouns: use.nounsInCapitals });
  const start = housedStart(sentence, words.slice(0, to + 1), first, type);
  const span = { start, end: words[to]!.end, type };
  if (name.length > 1) return { ...span, certain: true };
  const [word] = name;
  if (word!.text.length < 2 || NUMBER.test(word!.text)) return null;
  if (ACRONYM.test(word!.text)) return { ...span, certain: false };
  if (beginsSentence && (isOrdinary(word!, use) || !use.capital.has(word!.lower))) return null;
  if (use.nounsInCapitals && type === null) return null;
  return { ...span, certain: type !== null };
}

/** What stands in front of `of` inside a name: `Bank of …`, `Isle of …`. */
function isKind({ lower }: Word): boolean {
  return ORGANISATION_WORDS.has(lower) || PLACE_WORDS.has(lower) || lower === 'isle';
}

/** What a German noun says of the name behind it. */
function toldBy({ lower }: Word): GraphEntityType | null {
  return NOUNS_BEFORE_NAMES.get(lower) ?? (ROLE_ENDING.test(lower) ? 'person' : null);
}

/** A word that only stands in capitals because a sentence begins with it. */
function isOrdinary(word: Word, use: WordUse): boolean {
  return use.small.has(word.lower) || PERSON_VERBS.has(word.lower);
}

/** The number of a house in front of a street belongs to its name. */
function housedStart(sentence: string, words: readonly Word[], first: number, type: GraphEntityType | null): number {
  const number = words[first - 1];
  const isHouse = type === 'place' && number !== undefined && /^\d{1,4}\p{L}?$/u.test(number.text);
  const isNear = isHouse && sentence.slice(number.end, words[first]!.start) === ' ';
  return isNear && PLACE_WORDS.has(words.at(-1)?.lower ?? '') ? number.start : words[first]!.start;
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly title: boolean;
  /** The name as the sentence has it. */
  readonly written: string;
  readonly nouns: boolean;
}

function typeOf(name: readonly Word[], around: Surroundings): GraphEntityType | null {
  const lower = name.map((word) => word.lower);
  const { written } = around;
  const whole = lower.join(' ');
  const [first] = lower;
  const last = lower.at(-1)!;
  const head = lower[lower.findIndex((word) => CONNECTORS.has(word)) - 1] ?? last;
  if (name.length > 1 && [first!, last, head].some((word) => ORGANISATION_WORDS.has(word))) return 'organisation';
  if (around.title && name.length <= 4 && !/\d/u.test(whole)) return 'person';
  if (KNOWN_PLACES.has(whole)) return 'place';
  if (name.length > 1 && (PLACE_WORDS.has(last) || PLACE_WORDS.has(first!))) return 'place';
  if (name.length > 1 && /\d/u.test(last)) return 'product';
  if (PRODUCT_WORDS.has(around.before)) return 'product';
  if (name.length === 1) return typeOfOne(last, around);
  if (PERSON_VERBS.has(around.after) || PERSON_VERBS.has(around.before)) return 'person';
  if (PLACE_SURE.has(around.before) && name.length === 2 && !around.nouns) return 'place';
  if (/ & /u.test(written) || (ARTICLES.has(around.before) && !around.nouns)) return 'organisation';
  const looksLikePerson = name.length <= 3 && lower.every((word) => !/\d/u.test(word)) && head === last;
  if (!looksLikePerson || name.some(({ text }) => ACRONYM.test(text))) return null;
  return around.nouns && /(?:er|es|en|em|e)$/u.test(first!) && name.length > 2 ? 'organisation' : 'person';
}

function typeOfOne(word: string, { before, nouns }: Surroundings): GraphEntityType | null {
  if (!PLACE_SURE.has(before)) return null;
  return !nouns || PLACE_ENDING.test(word) ? 'place' : null;
}
