import { detectLanguage } from '#libs/text';
import { foldText, TermBag, termsOf } from './overlap.js';
import { isMonth } from './stated-dates.js';
import { splitClauses } from './stated-polarity.js';
import { isUnit } from './stated-units.js';

/** A capitalised word with what is before it. */
interface Named {
  readonly word: string;
  /** The word right before it, folded; empty at the beginning of a sentence or a cell. */
  readonly before: string;
}

/** What a statement's names are looked for in. */
export interface NamedPlaces {
  /** What supports the statement. */
  readonly passage: string;
  /** The rest of its document, as far as it was read, with the title. */
  readonly context: TermBag;
  /** The question: what is capitalised there inside of a sentence is a name at the beginning of one, too. */
  readonly question: string;
}

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]+/gu;
/** German nouns are capitalised: only what follows one of these without an article is taken for a name. */
const BEFORE_NAMES: ReadonlySet<string> = new Set('in aus bei nach von ab frau herr herrn familie firma'.split(' '));
const NOUN = /(?:ung|heit|keit|schaft|tion|tät|nis|ment|lauf|ende|anfang|beginn|weise)$/iu;
/** Nouns in the plural as well as places: taken for a name only where the other one is surely one. */
const PLURAL = /en$/u;
const ADDRESS: ReadonlySet<string> = new Set('mr mrs ms dr prof frau herr herrn mme m captain no am pm ok'.split(' '));
const WEEKDAYS: readonly string[] = [
  'monday mondays montag montags lundi lunes',
  'tuesday tuesdays dienstag dienstags mardi martes',
  'wednesday wednesdays mittwoch mittwochs mercredi miércoles',
  'thursday thursdays donnerstag donnerstags jeudi jueves',
  'friday fridays freitag freitags vendredi viernes',
  'saturday saturdays samstag samstags samedi sábado sábados',
  'sunday sundays sonntag sonntags dimanche domingo domingos',
].map(foldText);
const DAY_OF: ReadonlyMap<string, number> = new Map(
  WEEKDAYS.flatMap((words, day) => words.split(' ').map((word) => [word, day] as const)),
);
const RANGE = /(?<!\p{L})(?:to|until|through|bis|à|au|a|al|hasta)(?!\p{L})|[-–—]/iu;

/** Whether a statement names someone, a place or a thing that what supports it does not name, or another one in the same place. */
export function namesAnother(statement: string, places: NamedPlaces): boolean {
  const words = statement.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isTitle = words.length > 2 && words.every((word) => !/^\p{Ll}{4}/u.test(word));
  if (isTitle) return false;
  if (opensWithAnother(statement, places)) return true;
  return isCapitalising(statement) ? namesAnotherInGerman(statement, places) : lacksName(statement, places);
}

/**
 * Whether a sentence begins with a word that nothing holds, and what else it says is in a clause that has a name more: “Ostrow
 * approves claims” where claims are approved by Helen Marsh. Of another word there, no one knows whether it means the same.
 */
function opensWithAnother(statement: string, { passage, context }: NamedPlaces): boolean {
  const [opening, ...rest] = termsOf(statement);
  if (opening?.isContent !== true || opening.sort !== 'word' || context.match(opening) > 0) return false;
  const content = rest.filter(({ isContent }) => isContent);
  const said = new TermBag(content);
  return splitClauses(passage).some((clause) => {
    const held = termsOf(clause);
    const bag = new TermBag(held);
    const more = held.filter((term) => term.isContent && said.match(term) === 0);
    const inner = innerNames(clause);
    const names = new Set(inner.flatMap(({ word, before }) => [foldText(word), before]));
    if (more.length === 0 || content.length === 0 || bag.match(opening) > 0) return false;
    return (
      more.every(({ form }) => names.has(form) || ADDRESS.has(form)) && content.every((term) => bag.match(term) > 0)
    );
  });
}

/** Whether both name days of the week, and the statement one that the passage does not: neither it nor days around it. */
export function isOnAnotherDay(statement: string, passage: string): boolean {
  const [stated, held] = [daysIn(statement), daysIn(passage)];
  if (stated.length === 0 || held.length === 0 || stated.every((day) => held.includes(day))) return false;
  return !RANGE.test(passage) || stated.length > 1 || !isBetween(stated[0]!, held);
}

function lacksName(statement: string, { passage, context, question }: NamedPlaces): boolean {
  const asked = new Set(isCapitalising(question) ? [] : innerNames(question).map(({ word }) => foldText(word)));
  const held = new TermBag(termsOf(passage));
  const names = namesOf(statement).filter(({ word, before }) => before !== '' || asked.has(foldText(word)));
  const rivals = innerNames(passage).filter(({ word }) => !holds(new TermBag(termsOf(statement)), word));
  return names.some(({ word, before }) => {
    if (holds(held, word)) return false;
    return !holds(context, word) || rivals.some((rival) => rival.before === before);
  });
}

function namesAnotherInGerman(statement: string, { passage, context, question }: NamedPlaces): boolean {
  const [held, stated] = [new TermBag(termsOf(passage)), new TermBag(termsOf(statement))];
  const missing = germanNames(statement).filter(({ word }) => !holds(held, word));
  const asked = new Set(germanNames(question).map(({ word }) => word));
  const rivals = (isCapitalising(passage) ? germanNames(passage) : innerNames(passage)).filter(
    ({ word }) => !holds(stated, word),
  );
  return missing.some(
    ({ word, before }) =>
      (asked.has(word) && !holds(context, word)) ||
      rivals.some((rival) => rival.before === before && isOneSurelyName(word, rival.word)),
  );
}

/** Of two German words that follow a preposition without an article: whether they may be names of two places rather than ordinary nouns. */
export function mayBothBeNames(one: string, other: string): boolean {
  return [one, other].every((word) => !NOUN.test(word) && !isNoName(foldText(word))) && isOneSurelyName(one, other);
}

/** Not where both may be nouns in the plural. */
function isOneSurelyName(one: string, other: string): boolean {
  return !(PLURAL.test(one) && PLURAL.test(other));
}

function germanNames(text: string): Named[] {
  const found = namesOf(text);
  return found.filter(({ word, before }) => {
    const behindName = found.some((other) => foldText(other.word) === before);
    return (BEFORE_NAMES.has(before) || behindName) && !NOUN.test(word);
  });
}

function innerNames(text: string): Named[] {
  return namesOf(text).filter(({ before }) => before !== '');
}

/** Capitalised words but months, days of the week, units and forms of address. */
function namesOf(text: string): Named[] {
  return [...text.matchAll(CAPITALISED)]
    .filter(({ 0: word }) => !isNoName(foldText(word)))
    .map(({ 0: word, index }) => {
      const before = /([\p{L}\p{M}\p{N}]+)[’']?[ \t]+$/u.exec(text.slice(Math.max(0, index - 40), index))?.[1];
      return { word, before: foldText(before ?? '') };
    });
}

function isNoName(folded: string): boolean {
  return isMonth(folded) || DAY_OF.has(folded) || isUnit(folded) || ADDRESS.has(folded);
}

function holds(bag: TermBag, word: string): boolean {
  return termsOf(word).every((term) => bag.match({ ...term, isContent: true }) > 0);
}

function isCapitalising(text: string): boolean {
  return detectLanguage(text).language === 'de';
}

function daysIn(text: string): number[] {
  return (foldText(text).match(/\p{L}+/gu) ?? []).flatMap((word) => DAY_OF.get(word) ?? []);
}

/** Whether a day is in the stretch that two days bound; “Saturday to Monday” goes around the end of the week. */
function isBetween(day: number, [first, last]: readonly number[]): boolean {
  if (first === undefined || last === undefined) return false;
  return first <= last ? day >= first && day <= last : day >= first || day <= last;
}
