import { hashTerm, type StatisticsView, wordForms, inverseDocumentFrequency } from '#libs/ranking';
import { detectLanguage, languageOfQuestion } from '#libs/text';
import { asksTwice, expectedAnswer, type AnswerKind } from './answer-hints.js';
import { askedPartOf, contextForms, weighContext } from './asked-part.js';
import type { AnswerSort } from './answer-sort.js';
import { asksTotal } from './answer-sorts.js';
import { wantedSort } from './asked-sorts.js';
import { frameWeight } from './frame-words.js';
import { stripMarkers } from './markers.js';
import { foldText, termsOf, type Term } from './overlap.js';
import { numberOf, statedOrdinals } from './stated-numbers.js';
import { measureOf } from './stated-ranges.js';
import { weekdayOf } from './weekdays.js';

/** A content word of a question with what the datasets asked know of it. */
export interface QuestionTerm extends Term {
  /** How much it counts in nats: its rarity among the chunks, less for words that only frame the question. */
  readonly importance: number;
  /** Whether the question names something with it: a number, a capitalised word, a word with digits. */
  readonly isName: boolean;
  /** The same without what is capitalised as every noun of its language is. */
  readonly isProper: boolean;
  /** Whether no chunk holds it, in any form as far as letters tell. */
  readonly isNowhere: boolean;
}

/** A question, weighed by the datasets that are asked. */
export interface QuestionProfile {
  /** What is asked, without markers and without the sentences around it that ask nothing. */
  readonly text: string;
  /** ISO 639 code; `und` where it cannot be told. */
  readonly language: string;
  /** Content words, each once, in the order of the question. */
  readonly terms: readonly QuestionTerm[];
  /** Chunks that were searched. */
  readonly chunkCount: number;
  /** The sort of thing that it asks for. */
  readonly kind: AnswerKind;
  /** The same more narrowly, where one thing is asked. */
  readonly sort: AnswerSort;
  /** Whether it asks for a sum or a mean over several. */
  readonly asksTotal: boolean;
  /** The one that it asks about of several: “the second year”. */
  readonly ordinals: readonly string[];
  /** The forms of what it asks something of: “the fare for *a student*”, “the transport of *a truck with cooling*”; each without frame words. */
  readonly objects: readonly (readonly string[])[];
  /** Forms of what was written last, where the question completes it with words of earlier questions. */
  readonly own?: ReadonlySet<string>;
}

/** Chunks that are imagined beside the real ones, holding none of the words: in a dataset of three frequencies say nothing. */
const IMAGINED_CHUNKS = 500;

/** Most words of a question that are weighed. */
const MAX_TERMS = 64;

/** Letters at the beginning that the forms of a word share, as share of its length. */
const SHARED_BEGINNING = 0.65;
const GRAM = 4;

/** Weighs the words of a question by their rarity in the datasets asked. Pure; what it gives holds no reference to `statistics`. */
export function profileQuestion(question: string, statistics: StatisticsView): QuestionProfile {
  const message = stripMarkers(question);
  const text = askedPartOf(message);
  const names = namesOf(message);
  const language = languageOf(message);
  const isCapitalising = language === 'de';
  const { chunkCount } = statistics;
  const all = contentTermsOf(message).map((term): QuestionTerm => {
    const df = documentFrequency(term, statistics);
    const rarity = inverseDocumentFrequency(df, chunkCount + IMAGINED_CHUNKS);
    const importance = term.weight * frameWeight(term.form) * rarity;
    const isName = names.has(term.form);
    const isProper = isName && (!isCapitalising || isNoNoun(term.form));
    return { ...term, importance, isName, isProper, isNowhere: df === 0 };
  });
  return {
    text,
    language,
    asksTotal: asksTotal(text),
    terms: weighContext(all, contextForms(message)),
    chunkCount,
    kind: expectedAnswer(text),
    sort: asksTwice(text) ? 'any' : wantedSort(text),
    ordinals: statedOrdinals(message),
    objects: objectsOf(text),
  };
}

/** The profile of a question that completes what was written last with words of earlier questions. Pure. */
export function asFollowUp(profile: QuestionProfile, asked: string): QuestionProfile {
  return { ...profile, own: contentFormsOf(asked) };
}

/** The forms of the content words of a message. */
export function contentFormsOf(message: string): ReadonlySet<string> {
  return new Set(contentTermsOf(stripMarkers(message)).map(({ form }) => form));
}

/** The content words of a question, each once. A question of function words alone has none. */
export function contentTermsOf(question: string): Term[] {
  const unique = new Map(termsOf(question).map((term) => [term.form, term]));
  const content = [...unique.values()].filter((term) => term.isContent);
  const asked = measuresOf(question);
  const matter = content.filter(({ form }) => !asked.has(form));
  return (matter.length > 0 ? matter : content).slice(0, MAX_TERMS).map((term) => measured(term, question));
}

/** What a question word asks the measure of: “how *long*”, „wie *hoch*“. It is a part of the question word, which no answer has to hold. */
const MEASURES =
  /(?<!\p{L})(?:how\s+(long|wide|high|tall|deep|far|old|often|frequently|big|large|small|fast|quickly|heavy|hot|cold|warm|late|early|soon|thick|loud|near|close|steep|expensive|pricey)|wie\s+(lange?|hoch|gro(?:ß|ss)|weit|alt|oft|häufig|schwer|schnell|teuer|tief|breit|dick|hei(?:ß|ss)|kalt|warm|laut|spät|früh|nah|klein|kurz|viel)|combien\s+de\s+(temps)|cu[áa]nto\s+(tiempo)|how\s+long\s(?:[^\s.?!]{1,40}\s){1,12}(last|take)(?=\W*$)|(?:à|a)\s+quelle\s+(fréquence)|con\s+qué\s+(frecuencia))(?!\p{L})/giu;

function measuresOf(question: string): ReadonlySet<string> {
  const words = [...question.matchAll(MEASURES)].flatMap(([, ...groups]) =>
    groups.filter((word) => word !== undefined),
  );
  return new Set(words.map(foldText));
}

function measured(term: Term, question: string): Term {
  const isNumber = term.sort === 'number' || /^\d+$/.test(numberOf(term.form) ?? '');
  const measure = isNumber ? measureOf(question, term.form) : weekdayOf(question, term.form);
  return measure === null ? term : { ...term, measure };
}

/** Numbers, words with digits, and capitalised words that do not open the question, folded. */
function namesOf(question: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of question.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const opens = !/[\p{L}\p{N}]/u.test(question.slice(0, index));
    if (/\p{N}/u.test(word) || (!opens && /^\p{Lu}/u.test(word))) for (const { form } of termsOf(word)) names.add(form);
  }
  return names;
}

/** By the words of questions where there are any; a guess by letters is better than none. */
function languageOf(question: string): string {
  const told = languageOfQuestion(question);
  return told === 'und' ? detectLanguage(question).language : told;
}

/** Forms of what a question names, without what is capitalised as every noun of its language is. */
export function properFormsOf(question: string): ReadonlySet<string> {
  const names = namesOf(question);
  if (languageOf(question) !== 'de') return names;
  return new Set([...names].filter(isNoNoun));
}

/** Capitalised in German too because it names one of several: “Block D”, “T4”. */
function isNoNoun(form: string): boolean {
  return /\p{N}/u.test(form) || form.length === 1;
}

/** A preposition, then articles, then the words up to a function word. */
const OBJECT =
  /(?<!\p{L})(?:for|of|with|without(?!\s\p{L}+ing(?!\p{L}))|für|von|mit|ohne|pour|avec|sans|para|con|sin)\s+(?:(?:an?|the|my|his|her|our|their|your|one|ein\p{L}{0,2}|de[mnrs]|die|das|mein\p{L}{0,2}|une?|le|la|les|mon|ma|una?|el|los|las|mi)\s+)?((?:[\p{L}\p{M}-]+\s?){1,2})/giu;

/** What is asked for is asked of a time, too. */
export const TIMES =
  /^(?:second|minute|hour|day|night|week|weekend|month|year|today|tomorrow|sekunde|minute|stunde|tag|nacht|woche|wochenende|monat|jahr|jour|heure|semaine|mois|an|año|mes|semana|hora|dia|día)(?:n|s|e|en|es)?$/u;

function objectsOf(text: string): string[][] {
  return [...text.matchAll(OBJECT)].flatMap(([, words = '']) => {
    const terms = contentTermsOf(words.trim()).filter(({ form }) => frameWeight(form) === 1 && !TIMES.test(form));
    return terms.length === 0 ? [] : [terms.map(({ form }) => form)];
  });
}

/** In how many chunks the word is in any form: its stem, or, where that is rarer, the letters that its forms share. */
export function documentFrequency(term: Term, statistics: StatisticsView): number {
  const { stem } = wordForms(term.form);
  const own = Math.max(statistics.df(hashTerm('words', stem)), statistics.df(hashTerm('words', term.form)));
  if (term.sort !== 'word') return own;
  const letters = foldText(term.form);
  const beginning = letters.slice(0, Math.max(GRAM, Math.ceil(letters.length * SHARED_BEGINNING)));
  let shared = Infinity;
  for (let at = 0; at + GRAM <= beginning.length; at++) {
    shared = Math.min(shared, statistics.df(hashTerm('grams', beginning, at, at + GRAM)));
  }
  return shared === Infinity ? own : Math.max(own, shared);
}
