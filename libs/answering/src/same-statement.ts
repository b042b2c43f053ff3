import { foldText, supportOf, TermBag, termsOf, type Term } from './overlap.js';
import { numberOf, statedNumbers } from './stated-numbers.js';
import { isUnit } from './stated-units.js';

/** What something costs, or that it costs nothing: as a unit tells how much, and makes no case of it. */
const CHARGED = new Set(
  foldText(
    'free charge charges fee fees price cost costs gratis kostenlos kostenfrei unentgeltlich gebührenfrei gebühr gebühren entgelt preis kosten kostet kostenpflichtig ' +
      'gratuit gratuite gratuits gratuites gratuitement frais tarif prix coût gratuito gratuita gratuitos gratuitas tarifa precio coste',
  ).split(' '),
);

/** Two sentences that hold this share of each other are about the same. */
const NEAR_EQUAL = 0.75;
/** The same of two that may contradict each other: one says something else where it counts. */
const ABOUT_THE_SAME = 0.55;

const NEGATIONS: ReadonlySet<string> = new Set(
  foldText(
    'not no never nobody none neither nor without cannot nothing nowhere nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder ' +
      'ne pas jamais aucun aucune sans ni non personne rien nunca jamás ningún ninguno ninguna nadie sin tampoco nada ' +
      'mai nessun nessuno nessuna senza não nenhum nenhuma sem niet geen nooit zonder niemand nie bez żaden żadna не нет ни без нельзя никогда değil yok hiç',
  ).split(' '),
);
/** Of scripts that write no spaces, and short forms. */
const NEGATED =
  /n['’]t\b|不|没|沒|未|无|無|非|勿|ない|ません|ず|않|없|안 |못|ไม่|ไม่มี|(?<!\p{L})(?:لا|لم|لن|ليس|ليست|नहीं|न|मत)(?!\p{L})/iu;

/** A day of a year, or a month of one. */
const DATES =
  /(?<![\d.])(?:(?:\d{1,2}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?)?(?:jan|feb|fév|fev|mar|mär|apr|avr|abr|ma[iy]|jun|jui|jul|aug|aoû|ago|sep|o[ck]t|nov|de[cz]|déc|ene)\p{L}{0,7}\.?(?:\s+\d{1,2}(?:st|nd|rd|th)?,)?(?:\s+del?)?\s+(?:19|20)\d{2}|(?:19|20)\d{2}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2})(?![\d.]\d)/giu;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether two sentences say the same, so that one of them may be left out: they hold three quarters of each other, and neither differs
 * in what makes another statement of it: a negation, a number, a name, or a word that is where the other has another one. A sentence
 * that only says more than the other says the same.
 */
export function sayTheSame(one: string, other: string): boolean {
  const [terms, others] = [statedTerms(one), statedTerms(other)];
  return overlapOf(terms, others) >= NEAR_EQUAL && !differ(one, other, terms, others);
}

/**
 * Whether two sentences are about the same and one of them says another number or the contrary. Where each has a word of its own they tell of
 * two cases: the fare of adults does not contradict that of children. Units are no such words, nor is what says that something is charged for or free.
 */
export function contradictEachOther(one: string, other: string): boolean {
  const [said, alsoSaid] = [withoutDates(one), withoutDates(other)];
  const [terms, others] = [said, alsoSaid].map((text) => statedTerms(text).filter(({ sort }) => sort !== 'number'));
  if (overlapOf(terms!, others!) < ABOUT_THE_SAME) return false;
  const isOther = (mine: readonly Term[], theirs: readonly Term[]): boolean =>
    strange(mine, theirs).some((form) => !isUnit(form) && !CHARGED.has(form));
  if (isOther(terms!, others!) && isOther(others!, terms!)) return false;
  return isNegated(one) !== isNegated(other) || !areEqual(statedNumbers(said), statedNumbers(alsoSaid));
}

/** From when a statement holds makes no other case of it. A month without a year is one of every year, which does. */
function withoutDates(text: string): string {
  return text.replace(DATES, ' ');
}

/** Terms of a text, number words as numbers. */
function statedTerms(text: string): Term[] {
  return termsOf(text.replace(WORD, (word) => numberOf(word) ?? word));
}

function overlapOf(terms: readonly Term[], others: readonly Term[]): number {
  return Math.min(supportOf(terms, new TermBag(others)), supportOf(others, new TermBag(terms)));
}

function differ(one: string, other: string, terms: readonly Term[], others: readonly Term[]): boolean {
  if (isNegated(one) !== isNegated(other)) return true;
  if (!areEqual(statedNumbers(one), statedNumbers(other))) return true;
  const [mine, theirs] = [strange(terms, others), strange(others, terms)];
  const [names, otherNames] = [namesOf(one), namesOf(other)];
  if (mine.some((form) => names.has(form)) || theirs.some((form) => otherNames.has(form))) return true;
  return mine.length > 0 && theirs.length > 0;
}

/** Content words of one text of which the other holds no form. */
function strange(terms: readonly Term[], others: readonly Term[]): string[] {
  const bag = new TermBag(others);
  return terms
    .filter((term) => term.isContent && term.sort === 'word' && bag.match(term) === 0)
    .map(({ form }) => form);
}

/** Whether a text holds a word that denies, in any language that is known. */
export function isNegated(text: string): boolean {
  const words = foldText(text).match(WORD) ?? [];
  return NEGATED.test(text) || words.some((word) => NEGATIONS.has(word));
}

/** Capitalised words that do not open the sentence, folded. */
function namesOf(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(WORD)].filter(({ index, 0: word }) => index > 0 && /^\p{Lu}/u.test(word));
  return new Set(names.map(({ 0: word }) => foldText(word)));
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
