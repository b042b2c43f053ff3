import { wordForms } from '#libs/ranking';
import { detectLanguage } from '#libs/text';
import { askedAttribute, type AnswerKind } from './answer-hints.js';
import type { AnswerSort } from './answer-sort.js';
import { holdsSort, holdsTotal, tellsOfEach } from './answer-sorts.js';
import {
  boundNouns,
  hasOtherBeginning,
  hasOtherParticle,
  isInOtherPlace,
  isOtherCompound,
  isVariant,
  namesAnother,
  namesAnotherOne,
} from './variants.js';
import { frameWeight } from './frame-words.js';
import { foldText } from './overlap.js';
import { TIMES, type QuestionProfile } from './question-profile.js';
import type { ReadSentence, ReadSource } from './source-reader.js';
import { isOpposite, tellsOtherDirection } from './opposites.js';
import { isNumberOfOne, isOfOtherNumber } from './numbered-ones.js';
import { numberOf, statedOrdinals } from './stated-numbers.js';
import { isOfSplitRows, isProse, isTiedRow, PRICE_WORD } from './tied-rows.js';
import { isOfOtherField } from './labelled-fields.js';
import { canAnswer, CERTAIN_SORTS, isOfNumbers, NUMBER_SORTS } from './can-answer.js';
import { askedVerb, lacksSuperlative, placesIn } from './asked-otherwise.js';
import { questionOver } from './sentence-choice.js';
import { withoutDates } from './stated-dates.js';
import { isWithoutFigure, tellsElsewhere } from './told-elsewhere.js';

/** What a near miss costs in the logistic sum; figures in docs/adr/0142 and 0160. */
const PENALTIES = {
  names: 2,
  ordinals: 4,
  person: 4,
  kind: 2,
  beside: 2,
  row: 6,
  object: 1,
  total: 6,
  otherNames: 3.5,
  certain: 8,
  number: 6,
  variant: 4,
  opposite: 6,
  strange: 6,
  asked: 6,
  elsewhere: 6,
} as const;
/** A row holds at least this share of the matter of a question that it answers. */
const LEAST_OF_ROW = 0.5;
/** Of the matter of a question a sentence holds this share where shared words are believed. */
const LEAST_SHARED = 0.15;
/** Names are others from this share that is lacking on. */
const OTHER = 0.8;
/** Sums that are told apart from the price of a thing. */
const OWN_MONEY =
  /^(?:rents?|tolls?|fines?|deposits?|premiums?|salar\p{L}+|wages?|miete\p{L}*|pacht|kaution|gehalt|gehälter|löhne?|lohn|prämien?|loyers?|salaires?|cautions?|amendes?|alquiler\p{L}*|salarios?|sueldos?|fianzas?|multas?)$/iu;
/** What is earned or paid is money, also without a currency. */
const PAID =
  /(?<!\p{L})(?:earn\p{L}*|pa(?:ys?|id|yable)|costs?|charg\p{L}+|verdien\p{L}+|(?:be)?zahl\p{L}+|kost\p{L}+|gagn\p{L}+|pa(?:ie|yé)\p{L}*|co[uû]t\p{L}+|gana\p{L}*|cobra\p{L}*|paga\p{L}*|cuesta\p{L}*)(?!\p{L})/iu;
/** What is held less than this far is lacking. */
const HELD = 0.4;
/** A word is strange to a sentence from here on, in spreads of unrelated texts; figures in docs/adr/0191. */
export const STRANGE = 0.5;
/**
 * How much speaks for a passage about something alike rather than about what is asked, in logits: what the question names (a thing, a
 * place, the second of several) and the sentence with what is around it and above it lacks; a row of a table that lacks what something is asked
 * of; and a question word that nothing there answers. A common word that is missing is such a sign only where it leads away from the sentence.
 */
export function nearMissOf(profile: QuestionProfile, source: ReadSource, at: number): number {
  const { terms, kind, sort, ordinals, objects } = profile;
  const { isField } = source.sentences[at]!;
  const around = isField ? [source.sentences[at]!] : source.sentences.slice(Math.max(0, at - 1), at + 2);
  const above = source.sentences.slice(0, at).findLast((one) => one.kind === 'heading');
  const asking = questionOver(source.text, source.sentences, at);
  const places = [...around, ...[above, asking].filter((one) => one !== undefined), ...source.sentences.slice(0, 1)];
  const own = textOf(source, [source.sentences[at]!]);
  const isRow = source.sentences[at]?.kind === 'row' && !saysRule(profile, source, at);
  const isForeign = isOtherLanguage(profile, source);
  const beside = isRow ? [source.sentences[at]!, ...places.filter(({ kind: other }) => other !== 'row')] : places;
  const held = terms.map((_, term) => Math.max(source.title[term]!, ...beside.map(({ matches }) => matches[term]!), 0));
  const text = textOf(source, around);
  const stated = statedOrdinals(
    withoutDates(`${text} ${above === undefined ? '' : source.text.slice(above.start, above.end)}`),
  );
  const isAnother = stated.length > 0 && ordinals.some((ordinal) => !stated.includes(ordinal));
  const byOrdinals = isAnother ? PENALTIES.ordinals : 0;
  const isBeside = (isOfNumbers(sort) || kind === 'person') && !canAnswer(profile, own);
  const byMoney = !isRow && lacksMoney(profile, held, text) ? PENALTIES.certain : 0;
  const bySort = canAnswer(profile, text) ? (isBeside ? PENALTIES.beside : 0) : sortPenalty(kind, sort);
  const byObject = !isForeign && lacksObject(objects, terms, held) ? (isRow ? PENALTIES.row : PENALTIES.object) : 0;
  const isForeignRow =
    isRow &&
    (shareHeld(terms, held) < LEAST_OF_ROW ||
      isOfNameAlone(profile, held, own, source.sentences[at]!) ||
      lacksAttribute(profile, held, source, at) ||
      (profile.asksTotal && !holdsTotal(text)));
  const isForeignField = isField && (isOfOtherField(source, at) || lacksAttributeOfFields(profile, held, source));
  const isNoneOfRows = isRow && (isTiedRow(profile, source, at) || isOfSplitRows(profile, source, at));
  const byRow = isForeignRow || isForeignField || isNoneOfRows ? PENALTIES.row : 0;
  const byTotal = !isRow && profile.asksTotal && isOfNumbers(sort) && tellsOfEach(text) ? PENALTIES.total : 0;
  const byVariant = isVariant(profile, held, text) || isOtherCompound(profile, source, text) ? PENALTIES.variant : 0;
  const byOpposite = isOtherOne(profile, held, source, at, text) ? PENALTIES.opposite : 0;
  const byStrange = !isForeign && isStrange(profile, held, source, at) ? PENALTIES.strange : 0;
  const heads = textOf(
    source,
    [above, asking].filter((one) => one !== undefined),
  );
  const near = {
    own,
    around: text,
    heads,
    called: source.called ?? '',
    next: textOf(source, source.sentences.slice(at + 1, at + 2)),
  };
  const byElsewhere = tellsElsewhere(profile, held, near, isForeign) ? PENALTIES.elsewhere : 0;
  const byFigure = isWithoutFigure(profile, held, near) ? PENALTIES.certain : 0;
  const byAsked = lacksNameOfFollowUp(profile, held) ? PENALTIES.asked : 0;
  return (
    byNames(profile, held, text) +
    byOrdinals +
    Math.max(bySort, byMoney, byFigure) +
    Math.max(byVariant, byOpposite, byStrange, byAsked, byElsewhere) +
    Math.max(byObject, byRow, byTotal)
  );
}

/** Whether a sentence tells of the opposite of what is asked about, or of another one of several. */
function isOtherOne(
  profile: QuestionProfile,
  held: readonly number[],
  source: ReadSource,
  at: number,
  around: string,
): boolean {
  const { start, end, header } = source.sentences[at]!;
  const own = textOf(source, [source.sentences[at]!]);
  return (
    isOpposite(profile, held, own) ||
    hasOtherBeginning(profile, own) ||
    hasOtherParticle(profile, own) ||
    namesAnotherOne(profile, around) ||
    isInOtherPlace(profile, own) ||
    tellsOtherDirection(profile.text, own) ||
    isOfOtherNumber(profile.text, source.text.slice(start, end), header)
  );
}

/** How sure the words of a sentence have to be where the verb that is asked about is lacking, in logits: „Darf ich im Garten grillen?“ */
const WITHOUT_VERB = 2;

/**
 * How sure the shared words of a sentence have to be, in logits: no words tell which of several is the most where nothing compares them, and few tell
 * whether something may be done where the verb for it is lacking.
 */
export function doubtOf(profile: QuestionProfile, source: ReadSource, at: number): number {
  const { text, terms } = profile;
  if (isOtherLanguage(profile, source)) return 0;
  const around = source.sentences[at]!.isField
    ? [source.sentences[at]!]
    : source.sentences.slice(Math.max(0, at - 1), at + 2);
  if (lacksSuperlative(text, textOf(source, around))) return Infinity;
  const held = terms.map((_, term) => Math.max(source.title[term]!, ...around.map(({ matches }) => matches[term]!)));
  return lacksForm(profile, held, askedVerb(text)) ? WITHOUT_VERB : 0;
}

/** Whether a row is a rule with its catchword, which holds the very sort of thing that is asked for: then it is judged as the sentence that it is. */
function saysRule({ sort }: QuestionProfile, { text, sentences }: ReadSource, at: number): boolean {
  const { start, end } = sentences[at]!;
  const row = text.slice(start, end);
  return sort !== 'any' && sort !== 'amount' && sort !== 'count' && isProse(row) && holdsSort(sort, row);
}

/** What is lacking in another language is only said otherwise there. */
export function isOtherLanguage({ language }: QuestionProfile, source: ReadSource): boolean {
  const other = detectLanguage(source.text).language;
  return language !== 'und' && other !== 'und' && other !== language;
}

/**
 * Whether the sentence shares words of the matter with the question, and another one that is lacking leads away from it: rabbits, where hens may be
 * kept. A question without any shared word is asked in words of its own, of which some always lead away; a word that is held elsewhere in the
 * text is of its matter.
 */
function isStrange(
  { terms }: QuestionProfile,
  held: readonly number[],
  { sentences, strange, matches: all }: ReadSource,
  at: number,
): boolean {
  const said = strange?.[at];
  if (said === undefined) return false;
  const isShared = terms.some(({ form }, term) => frameWeight(form) === 1 && sentences[at]!.matches[term]! >= HELD);
  return (
    isShared &&
    terms.some(({ form }, term) => held[term]! < HELD && all[term]! < HELD && (said.get(form) ?? 0) >= STRANGE)
  );
}

/** Whether what a follow-up question itself names is lacking: “and in Lyon?” is not answered by what was said of another place. */
function lacksNameOfFollowUp({ terms, own }: QuestionProfile, held: readonly number[]): boolean {
  if (own === undefined) return false;
  return terms.some(({ form, isProper }, at) => own.has(form) && isProper && held[at]! < HELD);
}

/** The same without what is known of words that lead away. */
export function withoutStrange({ strange: _, ...source }: ReadSource): ReadSource {
  return source;
}

function sortPenalty(kind: AnswerKind, sort: AnswerSort): number {
  if (CERTAIN_SORTS.includes(sort)) return PENALTIES.certain;
  if (NUMBER_SORTS.includes(sort)) return PENALTIES.number;
  return kind === 'person' ? PENALTIES.person : PENALTIES.kind;
}

function textOf({ text }: ReadSource, sentences: readonly ReadSentence[]): string {
  // A word that opens a statement is no name.
  return sentences.flatMap(({ start, end, header }) => [text.slice(start, end), header ?? '']).join(' · ');
}

/** Names and numbers that are lacking; more where all of them are and others are there instead. */
function byNames({ terms }: QuestionProfile, held: readonly number[], text: string): number {
  let [named, lacking] = [0, 0];
  for (const [index, { isProper, importance }] of terms.entries()) {
    if (!isProper) continue;
    named += importance;
    lacking += importance * (1 - held[index]!);
  }
  if (named === 0) return 0;
  const isOther = lacking > OTHER * named && namesAnother(terms, text);
  return ((isOther ? PENALTIES.otherNames : PENALTIES.names) * lacking) / named;
}

/**
 * Whether a row holds a name or a year of the question and nothing of its matter, or not what the question asks of that name (the canteen *in Aarhus*):
 * a table of something else may know of them, too.
 */
function isOfNameAlone(
  { text, language, terms, sort }: QuestionProfile,
  held: readonly number[],
  row: string,
  { own, matches }: ReadSentence,
): boolean {
  if (CERTAIN_SORTS.includes(sort) && holdsSort(sort, row)) return false;
  const names = new Set(terms.flatMap(({ form, isProper }) => (isProper ? [form] : [])));
  const bound = boundNouns(text, names, language);
  // What the head of a column is called by is of the matter, capitalised as it may be.
  const isHeaded = terms.some(({ isProper }, at) => isProper && matches[at]! >= HELD && own[at]! < HELD);
  const matter = terms.flatMap(({ form, isProper }, at) =>
    frameWeight(form) === 1 && !isProper && !PRICE_WORD.test(form) && !TIMES.test(form)
      ? [{ isHeld: held[at]! >= HELD, isBound: bound.has(wordForms(form).stem) }]
      : [],
  );
  return (
    (matter.length > 0 && !isHeaded && matter.every(({ isHeld }) => !isHeld)) ||
    matter.some(({ isHeld, isBound }) => isBound && !isHeld)
  );
}

/**
 * Whether a row tells of the house whose *rent* is asked for, as others do, and of no rent. The only row of a thing is about it, and its header may
 * name the same in another word.
 */
function lacksAttribute(
  { text, terms, sort }: QuestionProfile,
  held: readonly number[],
  source: ReadSource,
  at: number,
): boolean {
  const noun = askedAttribute(text);
  const row = source.sentences[at]!;
  const isSaid = CERTAIN_SORTS.includes(sort) && holdsSort(sort, textOf(source, [row]));
  // Of money there are many: what something costs is no rent.
  if (noun === undefined || (!OWN_MONEY.test(noun) && (isSaid || PRICE_WORD.test(noun)))) return false;
  return lacksNoun({ terms }, held, noun) && !isOnlyRowOfItsNames(terms, source, row);
}

/** Whether a line that names a value lacks the attribute that is asked for, which another such line tells: the *password* of another network. */
function lacksAttributeOfFields(profile: QuestionProfile, held: readonly number[], { sentences }: ReadSource): boolean {
  const noun = askedAttribute(profile.text);
  if (!lacksNoun(profile, held, noun)) return false;
  const nth = profile.terms.findIndex(({ form }) => form === foldText(noun ?? ''));
  return sentences.some(({ isField, matches }) => isField && matches[nth]! >= HELD);
}

/** Whether a noun of the matter of the question is lacking. */
function lacksNoun(
  { terms }: Pick<QuestionProfile, 'terms'>,
  held: readonly number[],
  noun: string | undefined,
): boolean {
  return lacksForm({ terms }, held, foldText(noun ?? ''));
}

function lacksForm(
  { terms }: Pick<QuestionProfile, 'terms'>,
  held: readonly number[],
  form: string | undefined,
): boolean {
  return terms.some((term, nth) => term.form === form && frameWeight(term.form) === 1 && held[nth]! < HELD);
}

/** Whether the *rent* of a house is asked for, and what is said there is neither of a rent nor of any money. */
function lacksMoney({ text, terms }: QuestionProfile, held: readonly number[], said: string): boolean {
  const noun = askedAttribute(text);
  if (noun === undefined || !OWN_MONEY.test(noun) || holdsSort('price', said) || PAID.test(said)) return false;
  return terms.some(({ form }, nth) => form === foldText(noun) && held[nth]! < HELD);
}

function isOnlyRowOfItsNames(terms: QuestionProfile['terms'], { sentences }: ReadSource, row: ReadSentence): boolean {
  const names = terms.flatMap(({ isProper }, nth) => (isProper && row.own[nth]! >= HELD ? [nth] : []));
  const others = sentences.filter((one) => one !== row && one.kind === 'row' && one.header === row.header);
  return names.length > 0 && !others.some(({ own }) => names.every((nth) => own[nth]! >= HELD));
}

/**
 * Whether shared words alone say nothing: nothing of the matter of the question is held around the sentence, but the words of the frame, of prices
 * and of time (“what does a storage room *cost* a *month*”). Where a number is asked for, a name is no matter either (“how many lockers does *Mill
 * House* have”); else a number is none (“which crews take *four* weeks”).
 */
export function lacksMatter(profile: QuestionProfile, source: ReadSource, at: number): boolean {
  const { text, terms, sort, own } = profile;
  const isNumber = ({ sort: kind, form }: QuestionProfile['terms'][number]): boolean =>
    kind === 'number' || numberOf(form) !== undefined;
  const named = placesIn(text);
  // The number of one of several is its name, and a range that holds a number tells of it.
  const isBare = (term: QuestionProfile['terms'][number]): boolean =>
    isOfNumbers(sort)
      ? term.isProper && !isNumber(term)
      : named.has(term.form) ||
        (isNumber(term) && !isNumberOfOne(text, term.form) && !isInRange(terms.indexOf(term), source, at));
  const isMatter = (term: QuestionProfile['terms'][number]): boolean =>
    frameWeight(term.form) === 1 && !PRICE_WORD.test(term.form) && !TIMES.test(term.form) && !isBare(term);
  // “And in 2024?” asks the same of another year: of what, the questions before it say.
  const asksSame =
    own !== undefined &&
    terms.some(({ form }) => own.has(form)) &&
    terms.every((term) => !own.has(term.form) || isNumber(term));
  if (asksSame && terms.some((term) => !own.has(term.form) && isMatter(term)))
    return lacksAll({ terms }, source, at, (term) => !own.has(term.form) && isMatter(term));
  // A follow-up may name nothing but another one.
  if (own !== undefined || !terms.some(isMatter))
    return isOfNumbers(sort) && lacksAll({ terms }, source, at, () => true);
  // Other words may say it; only a number that is held instead says nothing.
  if (!isOfNumbers(sort) && !terms.some(isBare)) return false;
  return lacksAll({ terms }, source, at, isMatter);
}

/** Whether a sentence holds a number by a range alone. */
function isInRange(term: number, { sentences }: ReadSource, at: number): boolean {
  const match = sentences[at]!.matches[term]!;
  return match >= HELD && match < 1;
}

/** Whether next to nothing of these words, beside those of the frame, of prices and of time, is held around a sentence. */
function lacksAll(
  { terms }: Pick<QuestionProfile, 'terms'>,
  source: ReadSource,
  at: number,
  isMeant: (term: QuestionProfile['terms'][number]) => boolean,
): boolean {
  const { isField } = source.sentences[at]!;
  const near = isField ? [source.sentences[at]!] : source.sentences.slice(Math.max(0, at - 1), at + 2);
  const places = [...near, ...source.sentences.slice(0, 1)];
  const held = terms.map((_, term) => Math.max(source.title[term]!, ...places.map(({ matches }) => matches[term]!)));
  const meant = terms.flatMap((term, nth) => (isMeant(term) ? [nth] : []));
  const those = meant.map((nth) => terms[nth]!);
  return (
    shareHeld(
      those,
      meant.map((nth) => held[nth]!),
      TIMES,
    ) < LEAST_SHARED
  );
}

/** Share of the matter of the question, by importance, that is held. */
function shareHeld(terms: QuestionProfile['terms'], held: readonly number[], besides?: RegExp): number {
  const matter = terms.flatMap(({ form, importance }, at) =>
    frameWeight(form) === 1 && !PRICE_WORD.test(form) && besides?.test(form) !== true
      ? [{ importance, isHeld: held[at]! >= HELD }]
      : [],
  );
  const sum = (those: typeof matter): number => those.reduce((all, { importance }) => all + importance, 0);
  return matter.length === 0 ? 1 : sum(matter.filter(({ isHeld }) => isHeld)) / sum(matter);
}

/** Whether all of what something is asked of is absent: the fare of a student is in no row of adults and children. */
function lacksObject(
  objects: QuestionProfile['objects'],
  terms: QuestionProfile['terms'],
  held: readonly number[],
): boolean {
  return objects.some((forms) => {
    const places = terms.flatMap(({ form }, at) => (forms.includes(form) ? [held[at]!] : []));
    return places.length > 0 && Math.max(...places) < HELD;
  });
}
