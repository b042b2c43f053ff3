import { wordForms } from '#libs/ranking';
import { foldText } from './overlap.js';
import type { QuestionProfile } from './question-profile.js';
import type { ReadSource } from './source-reader.js';
import { mayBothBeNames } from './stated-names.js';
import { numberOf } from './stated-numbers.js';
import { isWithin, measureOf, rangesOf } from './stated-ranges.js';
import { comparedWord, relationOf } from './word-relations.js';

/** A term of the question that a text holds less than this far is lacking. */
const HELD = 0.4;
/** A word of which a text holds less has only a part of it there. */
const WHOLE = 0.8;
/** Fewest last letters that two compounds share (`Teilzeitkräfte`, `Vollzeitkräfte`), and fewest first letters that differ. */
const SHARED_END = 6;
const OWN_BEGINNING = 3;
/** `the Larn route`, `route of Larn`; articles may be between. */
const LINK = String.raw`\s+(?:(?:at|in|of|on|for|from|to|de|du|en|à|von|in|am|bei)\s+)?(?:the\s+|la\s+|le\s+|el\s+|der\s+|dem\s+)?`;
const NAME = String.raw`(?<!\p{L})(\p{Lu}\p{Ll}[\p{L}\p{M}]+)`;
const NAME_FIRST = new RegExp(`${NAME}${LINK}(\\p{Ll}{3,})`, 'gu');
const NAME_LAST = new RegExp(`(?<!\\p{L})(\\p{Ll}{3,})${LINK}${NAME}`, 'gu');
/** `part-time`, `sit-stand`. */
const HYPHENATED = /(?<![\p{L}\p{N}-])(\p{L}{3,})-(\p{L}{3,})(?![\p{L}\p{N}-])/gu;
/** `half a day`, which is a half-day one. */
const PART_OF = /(?<![\p{L}\p{N}-])(half|full|whole)\s(?:an?\s)?(\p{L}{3,})(?![\p{L}\p{N}-])/giu;
/** `check-in`, `sign-out`. */
const PARTICLE = /(?<![\p{L}\p{N}-])(\p{L}{3,})[- ]?(in|out|on|off|up|down)(?![\p{L}\p{N}-])/giu;
const COUNTED = /(?<![\p{L}\p{N}])(\d{1,4}|\p{L}{3,})(?=[\s-]+(\p{L}{3,}|(?:kg|km|cm|mm|ml|kw|mb|gb|tb)(?!\p{L})))/gu;

/**
 * Whether a text tells of another one of what the question names, without the one that is asked about: the route to another place, after
 * another number of years, part-time where full-time is told.
 */
export function isVariant(
  { text: question, terms, sort }: QuestionProfile,
  held: readonly number[],
  text: string,
): boolean {
  const lacking = terms.filter((_, at) => held[at]! < HELD);
  return (
    lacking.some(({ isProper, form }) => isProper && namesOther(question, form, text)) ||
    lacking.some(({ isName, isProper, form }) => isName && !isProper && hasSibling(form, text)) ||
    (sort !== 'amount' && sort !== 'count' && countsOther(question, text))
  );
}

/** Whether a text has another German compound in place of one of the question, of which the source holds a part at most. */
export function isOtherCompound(
  { terms, language }: QuestionProfile,
  { matches, title }: Pick<ReadSource, 'matches' | 'title'>,
  text: string,
): boolean {
  if (language !== 'de') return false;
  return terms.some(
    ({ form, isName }, term) => isName && Math.max(title[term]!, matches[term]!) < WHOLE && hasSibling(form, text),
  );
}

/** `the Larn route` in the question, `the Holt route` in the text. */
function namesOther(question: string, form: string, text: string): boolean {
  const nouns = namedIn(question).flatMap(({ name, noun }) => (name === form ? [noun] : []));
  return nouns.length > 0 && namedIn(text).some(({ name, noun }) => name !== form && nouns.includes(noun));
}

/** Participles of irregular verbs that are told of things. */
const PARTICIPLE =
  /^(?:\p{L}+ed|kept|held|made|done|sent|sold|paid|given|taken|shown|built|bought|found|lost|left|told|known|met|put|set|spent|taught|written|stored)$/u;

/** Words that make a short question German, whatever its language is taken for. */
const GERMAN = /(?<!\p{L})(?:welche[mnrs]?|wann|wem|wessen|wieviele?|der|das|dem)(?!\p{L})/iu;

/** Stems of what a question asks of these names: the *canteen* in Aarhus. In German it would be capitalised, and what is done in Aarhus is no thing. */
export function boundNouns(question: string, names: ReadonlySet<string>, language: string): ReadonlySet<string> {
  if (language === 'de' || GERMAN.test(question)) return new Set();
  return new Set(
    namedIn(question).flatMap(({ name, word, noun }) => (names.has(name) && !PARTICIPLE.test(word) ? [noun] : [])),
  );
}

/** Names with the words beside them. */
function namedIn(text: string): { readonly name: string; readonly word: string; readonly noun: string }[] {
  const before = [...text.matchAll(NAME_FIRST)].map(([, name, word]) => [name!, word!] as const);
  const behind = [...text.matchAll(NAME_LAST)].map(([, word, name]) => [name!, word!] as const);
  return [...before, ...behind].map(([name, word]) => ({
    name: foldText(name),
    word,
    noun: wordForms(foldText(word)).stem,
  }));
}

/** `Teilzeitkräfte` is asked about, `Vollzeitkräfte` are told of: nouns of German, which are capitalised. */
function hasSibling(form: string, text: string): boolean {
  if (form.length < SHARED_END + OWN_BEGINNING) return false;
  for (const [word] of text.matchAll(/\p{L}{9,}/gu)) {
    const other = foldText(word);
    let shared = 0;
    while (shared < form.length && form.at(-1 - shared) === other.at(-1 - shared)) shared++;
    const isCompound = form.length - shared >= OWN_BEGINNING && other.length - shared >= OWN_BEGINNING;
    if (isCompound && shared >= SHARED_END && shared * 2 >= form.length) return true;
  }
  return false;
}

/** Whether the text has another hyphenated word in place of one of the question: `full-time` for `part-time`, and no `part` anywhere. */
export function hasOtherBeginning({ text: question }: QuestionProfile, text: string): boolean {
  const told = hyphenatedIn(text);
  const words = new Set([...text.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => foldText(word)));
  return hyphenatedIn(question).some(
    ({ begins, ends }) => !words.has(begins) && told.some((other) => other.ends === ends && other.begins !== begins),
  );
}

/** Whether a text has `check-out` in place of `check-in`, which the question names and the text does not. */
export function hasOtherParticle({ text: question }: QuestionProfile, text: string): boolean {
  const told = particlesIn(text);
  return particlesIn(question).some(
    ({ verb, particle }) =>
      told.some((other) => other.verb === verb) &&
      !told.some((other) => other.verb === verb && other.particle === particle),
  );
}

function particlesIn(text: string): { readonly verb: string; readonly particle: string }[] {
  return [...text.matchAll(PARTICLE)].map(([, verb, particle]) => ({
    verb: foldText(verb!),
    particle: particle!.toLowerCase(),
  }));
}

function hyphenatedIn(text: string): { readonly begins: string; readonly ends: string }[] {
  return [...text.matchAll(HYPHENATED), ...text.matchAll(PART_OF)].map(([, begins, ends]) => ({
    begins: foldText(begins!),
    ends: foldText(ends!),
  }));
}

/** `K-17`: letters that stand for a sort of thing, and which one of them; behind a number letters are a unit, and those of a currency tell a price. */
const CODE =
  /(?<![\p{L}\p{N}-])(?<!\d )(?!(?:EUR|USD|CHF|GBP|SEK|NOK|DKK|PLN|CZK|HUF|JPY|CNY|TRY|RUB|INR|CAD|AUD|KG|KM)(?!\p{L}))(\p{Lu}{1,4})[- ]?(\d{1,5})(?![\p{L}\p{N}])/gu;
/** What is between two codes that are the ends of a range. */
const TO_CODE = /^\s*(?:to|till|until|through|bis(?: zu)?|à|a|hasta|[–—-])\s*$/u;
/** `Gebäude in York`: without an article it is a name, although every noun of German is capitalised. */
const NOUN_IN_PLACE = /(?<!\p{L})(\p{Lu}\p{Ll}{3,}) (?:in|aus|nach) (\p{Lu}\p{Ll}{2,})(?!\p{L})/gu;

/** `the office in Larn`, `the lift at Mill Lane`, « le bureau de Nantes »: where nouns have no capitals a capitalised word behind these is a name. */
const NOUN_AT_NAME =
  /(?<!\p{L})(\p{Ll}{3,}) (?:at|in|of|from|near|for|à|de|en|dans|a) (\p{Lu}\p{L}+(?:[ -]\p{Lu}\p{L}+){0,2})(?!\p{L})/gu;

interface Named {
  readonly sort: string;
  readonly which: string;
}

/** Whether a text tells of another one that is called by the same letters, or of the same thing in another place, and not of the one that is asked about. */
export function namesAnotherOne({ text: question, language }: QuestionProfile, text: string): boolean {
  const ranges = codeRangesIn(text);
  const otherCodes = othersOf(question, text, CODE, (one, other) => one === other);
  if (otherCodes.some(({ sort, which }) => !isInRange(ranges, sort, Number(which)))) return true;
  return language === 'de' && othersOf(question, text, NOUN_IN_PLACE, mayBeOnePlace).length > 0;
}

/** Whether a sentence tells of the same thing in another place: “the lift at Mill Lane” for that at Foundry Yard. */
export function isInOtherPlace({ text: question, language }: QuestionProfile, sentence: string): boolean {
  return language !== 'de' && othersOf(question, sentence, NOUN_AT_NAME, sharesName).length > 0;
}

/** Whether one of two names has a word of the other. */
function sharesName(one: string, other: string): boolean {
  const words = new Set(namesIn(one));
  return namesIn(other).some((word) => words.has(word));
}

function namesIn(name: string): string[] {
  return [...name.matchAll(/\p{L}+/gu)].map(([word]) => foldText(word));
}

/** What the question names that has namesakes in the text, none of which it may be, and that the text holds nowhere. */
function othersOf(
  question: string,
  text: string,
  pattern: RegExp,
  isSame: (one: string, other: string) => boolean,
): Named[] {
  const told = namedBy(pattern, text);
  return namedBy(pattern, question).filter(({ sort, which }) => {
    const alike = told.filter((other) => other.sort === sort);
    return alike.length > 0 && !alike.some((other) => isSame(which, other.which)) && !holdsWord(text, which);
  });
}

function namedBy(pattern: RegExp, text: string): Named[] {
  return [...text.matchAll(pattern)].map(([, sort, which]) => ({ sort: sort!, which: which! }));
}

/** Whether two words are forms of one, mean the same, or either is an ordinary noun rather than a place. */
function mayBeOnePlace(one: string, other: string): boolean {
  const [asked, told] = [comparedWord(foldText(one)), comparedWord(foldText(other))];
  return relationOf(asked, told) > 0 || !mayBothBeNames(one, other);
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

interface CodeRange {
  readonly sort: string;
  readonly from: number;
  readonly to: number;
}

/** `K-10 to K-20`. */
function codeRangesIn(text: string): CodeRange[] {
  const codes = [...text.matchAll(CODE)];
  return codes.slice(1).flatMap(({ 1: sort, 2: to, index }, at): CodeRange[] => {
    const { 0: written, 1: first, 2: from, index: start } = codes[at]!;
    const between = text.slice(start + written.length, index);
    return first === sort && TO_CODE.test(between) ? [{ sort: sort!, from: Number(from), to: Number(to) }] : [];
  });
}

function isInRange(ranges: readonly CodeRange[], sort: string, which: number): boolean {
  return ranges.some((range) => range.sort === sort && range.from <= which && which <= range.to);
}

/** Whether a text holds a word of a name. */
function holdsWord(text: string, name: string): boolean {
  const words = new Set(name.match(WORDS));
  return (text.match(WORDS) ?? []).some((word) => words.has(word));
}

/** `after twenty years` is asked about, `after ten years` is told; a range that holds the count tells of it, too. */
function countsOther(question: string, text: string): boolean {
  const told = countsIn(text);
  const asked = countsIn(question);
  if (told.length === 0 || asked.length === 0) return false;
  const ranges = rangesOf(text);
  return asked.some(({ count, unit }) => {
    const same = told.filter((other) => other.unit === unit);
    if (same.length === 0 || same.some((other) => other.count === count)) return false;
    const measure = measureOf(question, count);
    return measure === null || !isWithin(ranges, measure);
  });
}

function countsIn(text: string): { readonly count: string; readonly unit: string }[] {
  return [...text.matchAll(COUNTED)].flatMap(([, number, unit]) => {
    const count = /^\d/.test(number!) ? number : numberOf(number!);
    return count === undefined ? [] : [{ count, unit: wordForms(foldText(unit!)).stem }];
  });
}

const MONTHS_AND_DAYS =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)s?$/i;

/** Whether a text holds the name of something that the question does not name. */
export function namesAnother(terms: QuestionProfile['terms'], text: string): boolean {
  const known = new Set(terms.map(({ form }) => form));
  return [...text.matchAll(/(?<=[\p{Ll}\p{N},;)] )\p{Lu}\p{Ll}+/gu)].some(
    ([word]) => !MONTHS_AND_DAYS.test(word) && !known.has(foldText(word)),
  );
}
