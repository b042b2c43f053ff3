import { isCalendarWord } from './calendar-words.js';
import { givenName } from './given-names.js';
import { isAmountBefore, isUnit } from './measure-words.js';
import {
  CONNECTORS,
  LEGAL_FORM,
  NEVER_INSIDE,
  NEVER_NAMES,
  ORGANISATION_WORDS,
  PERSON_TITLES,
  PLACE_WORDS,
} from './name-cues.js';
import type { NameContext, WordUse } from './name-context.js';
import type { NamedSpan } from './named-span.js';
import { isOrdinaryWord } from './ordinary-words.js';
import type { Word } from './sentence-words.js';
import { spanOf } from './span-evidence.js';

const list = (words: string): readonly string[] => words.split(' ');

/** What letters begin with, lower case; a name may follow. */
const OPENINGS: ReadonlySet<string> = new Set([
  ...list('hi hello hey dear greetings hallo hey hej moin servus liebe lieber liebes grüezi hola estimado'),
  ...list('estimada querido querida merhaba sayın sevgili bonjour cher chère'),
]);

/** `Guten Morgen`, `Good Evening`, `Guten Appetit`: both words are the greeting or the wish. */
const WISHED: ReadonlySet<string> = new Set([
  ...list('morning afternoon evening day night luck weekend morgen tag abend mittag nacht appetit rutsch flug start'),
  ...list('besserung reise fahrt erfolg erholung wochenende feiertage feierabend'),
]);
const WISHES: ReadonlySet<string> = new Set(list('good guten gute gutes schöne schönen schönes'));

const NUMBER = /^\p{N}[\p{N}\p{Lu}]{0,4}$/u;
const YEAR = /^(?:19|20)\d{2}$/u;
const MOST_WORDS = 7;
/** Inside the name of an organisation that begins with what it is: `Office for …`. */
const PURPOSE = new Set(['for', 'für', 'para']);

/** Names that are told by their capital letters. */
export function findCapitalised(sentence: string, words: readonly Word[], use: WordUse): NamedSpan[] {
  const context = { sentence, words, use };
  const lower = words.map((word) => word.lower);
  const found: NamedSpan[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.capital || isDay(words, at)) continue;
    const greeting = word.begins ? greetingAt(lower, at) : 0;
    if (greeting > 0) {
      const greeted = greetedAt(context, at + greeting);
      if (greeted !== null) found.push(greeted);
      at += greeting - 1 + (greeted === null ? 0 : 1);
      continue;
    }
    const end = runEnd(context, at);
    const span = spanOf(context, at, end);
    if (span !== null) found.push(span);
    at = end;
  }
  return found;
}

/** A day or a month, unless it is a given name in front of another name: `Jan Petersen`. */
function isDay(words: readonly Word[], at: number): boolean {
  const { lower, end } = words[at]!;
  if (!isCalendarWord(lower)) return false;
  const next = words[at + 1];
  const isNamed = next !== undefined && next.capital && !next.begins && next.start - end === 1;
  return !(isNamed && givenName(lower) !== null && !isCalendarWord(next.lower) && !isOrdinaryWord(next.lower, true));
}

/** The one word behind a greeting: `Hallo Jens,`. */
function greetedAt({ sentence, words }: NameContext, at: number): NamedSpan | null {
  const word = words[at];
  if (word === undefined || !word.capital || word.begins || !/^\p{Lu}\p{Ll}/u.test(word.text)) return null;
  const follows = words[at + 1];
  const isAlone = follows === undefined || sentence.slice(word.end, follows.start) !== ' ' || !follows.capital;
  if (!isAlone || isOrdinaryWord(word.lower, true) || NEVER_NAMES.has(word.lower)) return null;
  return { start: word.start, end: word.end, type: 'person', certain: true };
}

/** Index of the last word of the run of a name that begins at `at`. */
function runEnd({ sentence, words, use }: NameContext, at: number): number {
  const isOrganisation = ORGANISATION_WORDS.has(words[at]!.lower);
  let last = at;
  for (let next = at + 1; next < words.length && next - at < MOST_WORDS; next++) {
    const gap = sentence.slice(words[next - 1]!.end, words[next]!.start);
    const isAbbreviated = gap === '. ' && words[next - 1]!.text.length <= 2;
    if (gap === ', ' && isCompanyByLaw(words[next]!) && !LEGAL_FORM.test(words[next - 1]!.text)) return next;
    if (gap !== ' ' && gap !== ' & ' && !isAbbreviated) break;
    const word = words[next]!;
    if (isDay(words, next) || (word.capital && NEVER_INSIDE.has(word.lower))) break;
    if (word.capital || LEGAL_FORM.test(word.text)) last = next;
    else if (NUMBER.test(word.text)) return last === next - 1 && isNumberOfName(sentence, words, next) ? next : last;
    else if (!CONNECTORS.has(word.lower) && !(PURPOSE.has(word.lower) && isOrganisation)) break;
    else if (!leadsOn(words[next - 1]!, word.lower, use)) break;
  }
  return last;
}

/** `Willow Creek, LLC`: behind a comma only what is nothing else, and behind a name: `AG, GmbH und KG` is a list. */
function isCompanyByLaw({ text, begins }: Word): boolean {
  return !begins && /^(?:Ltd|Inc|Corp|LLC|LLP|PLC|GmbH|gGmbH|S\.A|S\.L)$/u.test(text);
}

/** Whether a small word behind a word of a name goes on with it: `Bank of …`, `Karl von …`; not `Reed Ltd of …` and `Verfasst von …`. */
function leadsOn(before: Word, connector: string, use: WordUse): boolean {
  const isOf = connector === 'of' || connector === 'von' || connector === 'van';
  if (isOf && LEGAL_FORM.test(before.text)) return false;
  if (connector === 'of' && !isKind(before)) return false;
  if (!use.nounsInCapitals) return true;
  if (!isOf || connector === 'of') return false;
  if (isKind(before) || PERSON_TITLES.has(before.lower) || givenName(before.lower) !== null) return true;
  return !before.begins && !isOrdinaryWord(before.lower, true);
}

/** A number behind a name is a part of it where it is no amount, no time and no day. */
function isNumberOfName(sentence: string, words: readonly Word[], at: number): boolean {
  const { end, text } = words[at]!;
  if (YEAR.test(text)) return false;
  const next = words[at + 1];
  const isAmount = next !== undefined && sentence.slice(end, next.start) === ' ' && isUnit(next.lower);
  return !isAmount && !isAmountBefore(sentence.slice(end, end + 40));
}

/** What is in front of `of` inside a name: `Bank of …`, `Isle of …`. */
function isKind({ lower }: Word): boolean {
  return ORGANISATION_WORDS.has(lower) || PLACE_WORDS.has(lower) || lower === 'isle';
}

/** How many words from `at` are a greeting: 0, 1 (`Hello`) or 2 (`Good Morning`). */
function greetingAt(lower: readonly string[], at: number): number {
  if (WISHES.has(lower[at] ?? '') && WISHED.has(lower[at + 1] ?? '')) return 2;
  return OPENINGS.has(lower[at] ?? '') ? 1 : 0;
}
