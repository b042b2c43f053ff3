import { mapSteps, type Steps } from '#libs/common';
import type { AnswerSort } from './answer-sort.js';
import { COLUMN_SORTS, holdsSort } from './answer-sorts.js';
import { wantedSort } from './asked-sorts.js';
import { withBeside, withoutBareNames } from './asked-matter.js';
import { asksForList, asksTwice, expectedAnswer, holdsAnswer, type AnswerKind } from './answer-hints.js';
import { pointsBack } from './condense.js';
import { frameWeight } from './frame-words.js';
import { withoutOtherFields } from './labelled-fields.js';
import { stripMarkers } from './markers.js';
import type { Term } from './overlap.js';
import { contentTermsOf, properFormsOf, TIMES } from './question-profile.js';
import { quoteRow, quoteText } from './quote.js';
import { supersede, withNewer, withWhatHolds } from './replaced-statements.js';
import { replacementPhrase } from './answerer-notes.js';
import { withoutReplaced } from './replaced-names.js';
import { withoutLesserRows, withoutMentions, withoutOtherSubjects } from './row-choice.js';
import { sayTheSame } from './same-statement.js';
import {
  arrange,
  asks,
  behindOf,
  besideOf,
  closeness,
  fill,
  headingOver,
  isDisputed,
  isLabel,
  questionOver,
  isHead,
  isTitle,
  nearBest,
  withoutHeads,
  withoutNumbers,
  withoutOtherSorts,
  withoutQuestions,
} from './sentence-choice.js';
import { withDate, type StatedDate } from './source-date.js';
import { comparedOf, pickMeant, rankMeant, type MeantStatement } from './meant-answer.js';
import {
  carryLess,
  holdsOwn,
  LEAST_LEFT,
  ownTerms,
  readQuotations,
  toldTest,
  wasTold,
  withoutTold,
} from './told-before.js';
import { PRICE_WORD } from './tied-rows.js';
import { SourceReader, type ReadSentence, type ReadSource } from './source-reader.js';

/** A source that may answer a question. */
export interface ExtractiveSource {
  /** The number of its marker. */
  number: number;
  text: string;
  /** Retrieval score; only its ratio to the best source's counts. */
  score: number;
  /** What a person calls it; its words count for all of its sentences. */
  title?: string;
  /** Given where meaning decides what is quoted: of each statement of the text how alike it is to the question, in spreads of unrelated texts. */
  likeness?: readonly number[];
  /** From when it holds, by what is known of its document; by its title and text where that is nothing. */
  date?: StatedDate | null;
}

export interface ExtractiveOptions {
  /** Most sentences of the answer, list items that follow one of them not counted; default 2, and 4 where a list is asked for. */
  maxSentences?: number;
  /**
   * Least share of the question's content words, weighted by rarity, that the best sentence and its surroundings must hold,
   * 0..1; default 0: any content word at all suffices.
   */
  minCoverage?: number;
  /** What was written last, where the question completes it with words of earlier questions: these count less than its own. */
  asked?: string;
  /** Earlier answers: what they told is quoted again only where it holds a word of what was written last, or where nothing else comes near. */
  told?: readonly string[];
}

export interface ExtractiveAnswer {
  /**
   * Sentences of the sources in their own words, without what would work as Markdown or HTML, and rows of tables as cells with
   * their headers; each followed by ` [n]`.
   */
  answer: string;
  /** Numbers of the quoted sources, in order of first use. */
  used: number[];
  /** Share of the question's content words that the best sentence and its surroundings hold, 0..1. */
  coverage: number;
}

const MOST_SENTENCES = 2;
const MOST_LISTED = 4;
/** How much a word counts that is not in the sentence itself but near it, or in the heading above. */
const CREDIT = { neighbour: 0.4, source: 0.25, title: 0.35, heading: 0.7, named: 0.95 };
const BONUS = { answer: 0.12, prior: 0.1, close: 0.08, next: 0.15 };
const PENALTY = { question: 0.2, heading: 0.3, fragment: 0.12, echo: 0.15, quoted: 0.25 };

/** A further sentence is quoted when it comes near the best, or answers a part of the question that is still open. */
const NEAR_BEST = 0.7;
const OPEN_PART = 0.12;
/** A further sentence that holds every word less than this far behind what is quoted holds nothing but other words that look alike. */
const LESSER = 0.25;
/** A word that a sentence holds less than this far is lacking. */
const HELD = 0.4;
const MAX_ITEMS = 8;

interface Candidate {
  source: ExtractiveSource & { date: StatedDate | null };
  sourceIndex: number;
  sentenceIndex: number;
  sentence: ReadSentence;
  quote: string;
  coverage: number;
  score: number;
  /** Whether it only says what follows, and opens no list. */
  isTitle: boolean;
}

interface WeightedTerm extends Term {
  /** Base weight times rarity within the sources. */
  importance: number;
}

interface Question {
  readonly terms: readonly WeightedTerm[];
  readonly all: number;
  readonly kind: AnswerKind;
  readonly sort: AnswerSort;
  readonly reader: SourceReader;
  /** What earlier answers quote, where the question goes on from them. */
  readonly told: ReadonlySet<string>;
  /** For each term whether it is of what was written last. */
  readonly isOwn: readonly boolean[];
  /** Whether it asks two things at once. */
  readonly isDouble: boolean;
  /** Of each source the lines that say what it is called, where it opens with such. */
  readonly heads: readonly (ReadSentence | null)[];
  /** Forms of what it names. */
  readonly names: ReadonlySet<string>;
}

/**
 * Answers a question with one or two sentences of the sources (up to four where a list is asked for), the best first, without a model and in any language: those that hold most of
 * its content words, rare ones first, and something of the sort that it asks for (a number, a date, a name, steps). Sentences
 * that contradict each other are both quoted, the newer first where both are dated. Null when no sentence shares a content word with the question. Deterministic:
 * equal scores follow the order of sources and sentences.
 */
export function* answerExtractivelySteps(
  question: string,
  sources: readonly ExtractiveSource[],
  options: ExtractiveOptions = {},
): Steps<ExtractiveAnswer | null> {
  const { maxSentences = asksForList(question) ? MOST_LISTED : MOST_SENTENCES, minCoverage = 0 } = options;
  const carried = carryLess(contentTermsOf(stripMarkers(question)), options.asked);
  const asked = withoutReplaced(carried, ownTerms(carried, options.asked), sources);
  if (asked.length === 0 && sources.every(({ likeness }) => likeness === undefined)) return null;
  const reader = new SourceReader(asked);
  const read = yield* mapSteps(sources, ({ text, title }) => reader.read(text, title));
  const dated = sources.map(withDate);
  const terms = weighTerms(asked, read);
  const all = terms.reduce((sum, { importance }) => sum + importance, 0);
  const isDouble = asksTwice(question);
  const sort = isDouble ? 'any' : wantedSort(question);
  const told = readQuotations(options.asked === undefined ? [] : (options.told ?? []));
  const isOwn = ownTerms(terms, options.asked);
  const heads = read.map(({ text, sentences: [first] }) => (first !== undefined && isHead(text, first) ? first : null));
  const names = properFormsOf(question);
  const weighed = { terms, all, kind: expectedAnswer(question), sort, reader, told, isOwn, isDouble, names, heads };
  const most = Math.max(...sources.map(({ score }) => score));
  const rated = (yield* mapSteps(read, (one, index) => rate(weighed, one, dated[index]!, index, most))).flat();
  const weigh = (matches: readonly number[]): number =>
    matches.reduce((sum, match, at) => sum + match * terms[at]!.importance, 0);
  const rows = withoutMentions(withoutLesserRows(rated), ({ sourceIndex }) => read[sourceIndex]!.text);
  const fitting = withoutOtherSubjects(
    withoutOtherSorts(sort, withoutHeads(withoutQuestions(withoutOtherFields(rows, read)), heads, weighed)),
    weigh,
  );
  const isTold = toldTest(terms, sort, options.asked, told);
  const candidates = withoutTold(fitting, isTold);
  candidates.sort((a, b) => b.score - a.score || a.sourceIndex - b.sourceIndex || a.sentenceIndex - b.sentenceIndex);
  const toCandidate = (at: number, sentence: number): Candidate => candidateOf(weighed, read[at]!, dated, at, sentence);
  // A title shows what the text is about, which judges it, and says nothing that could be quoted.
  const saying = rankMeant(sort, comparedOf(read, sources)).filter(
    ({ source, at }) => !isTitle(read[source]!.text, read[source]!.sentences[at]!),
  );
  const ranked = withoutToldMeant(saying, toCandidate, isTold);
  const found = pickMeant(ranked, toCandidate, asksForList(question) ? maxSentences : MOST_SENTENCES);
  const beside = (one: Candidate): Candidate[] =>
    besideOf(read[one.sourceIndex]!, one.sentenceIndex, sort).map((at) => toCandidate(one.sourceIndex, at));
  const byWords = withBeside(sort, pick(withoutBareNames(candidates, weighed), weighed, maxSentences), beside);
  const meant = isDisputed(found, byWords) ? [] : found;
  const picked = meant.length === 0 ? byWords : asksForList(question) ? fill(meant, byWords, maxSentences) : meant;
  const coverage = picked[0]?.coverage ?? 0;
  if (picked.length === 0 || (meant.length === 0 && coverage < minCoverage)) return null;
  const behind = ({ sourceIndex, sentenceIndex }: Candidate): Candidate[] =>
    behindOf(read[sourceIndex]!, sentenceIndex).map((at) => toCandidate(sourceIndex, at));
  const ordered = supersede(withNewer(withWhatHolds(arrange(picked), behind), nearBest(rated)));
  return {
    answer: ordered
      .map(
        ({ one, replaced }) =>
          `${replaced === null ? '' : replacementPhrase(question)(replaced)}${write(one, read[one.sourceIndex]!)}`,
      )
      .join(' '),
    used: [...new Set(ordered.map(({ one }) => one.source.number))],
    coverage,
  };
}

/**
 * Statements without those that were told: the vector of a follow-up that was completed is most like the answer to the question before it.
 * None where what is left is much less alike: then words choose.
 */
function withoutToldMeant(
  ranked: readonly MeantStatement[],
  make: (source: number, at: number) => Candidate,
  isTold: (one: Candidate) => boolean,
): MeantStatement[] {
  const left = ranked.filter(({ source, at }) => !isTold(make(source, at)));
  return (left[0]?.value ?? 0) < LEAST_LEFT * (ranked[0]?.value ?? 0) ? [] : left;
}

/** The question's content terms, weighted by their rarity among all sentences. */
function weighTerms(terms: readonly Term[], sources: readonly ReadSource[]): WeightedTerm[] {
  const sentences = sources.flatMap((source) => source.sentences);
  return terms.map((term, at) => {
    const frequency = sentences.reduce((sum, { matches }) => sum + (matches[at]! > 0 ? 1 : 0), 0);
    const rarity = Math.log(1 + (sentences.length + 1) / (frequency + 0.5));
    return { ...term, importance: term.weight * frameWeight(term.form) * rarity };
  });
}

function rate(
  question: Question,
  { text, sentences, matches, title, quotedFrom }: ReadSource,
  source: Candidate['source'],
  sourceIndex: number,
  mostScore: number,
): Candidate[] {
  const { terms, all } = question;
  const prior = mostScore > 0 ? BONUS.prior * Math.max(0, source.score / mostScore) : 0;
  return sentences.flatMap((sentence, index) => {
    const isNext = goesOn(question, text, sentences, index);
    const near = sentence.isField
      ? []
      : [sentences[index - 1], sentences[index + 1]].filter((one) => one?.isField !== true);
    const asking = questionOver(text, sentences, index);
    // A line that names a value tells it of what the document is called after.
    const heading =
      sentence.isField && !sentences[0]!.isField ? sentences[0] : headingOver(question.sort, text, sentences, index);
    const isAbout =
      isNext ||
      asking !== undefined ||
      (heading !== undefined && !sentence.isField) ||
      sentence.matches.some((match) => match > 0);
    if (sentence.isHead || !isAbout) return [];
    const covered = terms.reduce((sum, { importance }, at) => {
      const beside = Math.max(0, ...near.map((other) => other?.matches[at] ?? 0));
      const before = Math.max(isNext ? sentences[index - 1]!.matches[at]! : 0, asking?.matches[at] ?? 0);
      const around = Math.max(
        before,
        (sentence.isField ? CREDIT.named : CREDIT.heading) * (heading?.matches[at] ?? 0),
        CREDIT.neighbour * beside,
        CREDIT.source * matches[at]!,
        CREDIT.title * title[at]!,
      );
      return sum + importance * Math.max(sentence.matches[at]!, around);
    }, 0);
    const quote = quoteOf(question, text, sentence);
    if (!/[\p{L}\p{N}]/u.test(quote) || isLabel(quote, sentence)) return [];
    const coverage = covered / all;
    const behind = sentence.start >= quotedFrom ? PENALTY.quoted : 0;
    const after = isNext ? BONUS.next : 0;
    const score = coverage + prior + after + adjust(question, quote, sentence) - behind;
    const opens = sentences[index + 1]?.kind === 'item';
    const found = { source, sourceIndex, sentenceIndex: index, sentence, quote, coverage, score };
    return [{ ...found, isTitle: !opens && isTitle(text, sentence) }];
  });
}

/**
 * Whether a sentence follows one that an earlier answer quotes, and goes on with the same: it points back in a pronoun's words, or holds a word of
 * what was written last.
 */
function goesOn({ told, isOwn }: Question, text: string, sentences: readonly ReadSentence[], index: number): boolean {
  const before = told.size === 0 ? undefined : sentences[index - 1];
  if (before?.kind !== 'sentence' || !wasTold(quoteText(text.slice(before.start, before.end)), told)) return false;
  const sentence = sentences[index]!;
  return holdsOwn(sentence, isOwn) || pointsBack(text.slice(sentence.start, sentence.end));
}

/** A statement that is quoted for its meaning, whatever words it shares. */
function candidateOf(
  question: Question,
  { text, sentences }: ReadSource,
  sources: readonly Candidate['source'][],
  sourceIndex: number,
  sentenceIndex: number,
): Candidate {
  const sentence = sentences[sentenceIndex]!;
  const quote = quoteOf(question, text, sentence);
  return {
    source: sources[sourceIndex]!,
    sourceIndex,
    sentenceIndex,
    sentence,
    quote,
    coverage: 0,
    score: 0,
    isTitle: false,
  };
}

function quoteOf(
  { reader, terms, sort, kind: wanted }: Question,
  text: string,
  { start, end, kind, header }: ReadSentence,
): string {
  const own = text.slice(start, end);
  if (kind !== 'row') return quoteText(own);
  const weight = (words: string): number =>
    reader.match(words).reduce((sum, match, at) => sum + match * terms[at]!.importance, 0);
  const isOfSort = (cell: string): boolean => COLUMN_SORTS.includes(sort) && holdsSort(sort, cell);
  return quoteRow(own, header, weight, isOfSort, wanted === 'number');
}

/** Bonuses and penalties that do not depend on how many words are found. */
function adjust({ terms, kind }: Question, quote: string, sentence: ReadSentence): number {
  let sum = 0;
  if (kind !== 'any' && holdsAnswer(kind, withoutNumbers(quote, terms))) sum += BONUS.answer;
  if (sentence.fresh < 2) sum -= PENALTY.echo;
  if (asks(quote)) sum -= PENALTY.question;
  if (sentence.kind === 'heading') sum -= PENALTY.heading;
  else if (sentence.kind === 'sentence' && !/\p{P}$/u.test(quote)) sum -= PENALTY.fragment;
  return sum + BONUS.close * closeness(sentence);
}

function pick(candidates: readonly Candidate[], question: Question, most: number): Candidate[] {
  const { terms, all, isDouble, isOwn, heads } = question;
  const [first, ...others] = candidates;
  if (first === undefined || most < 1) return [];
  const picked = [first];
  const held = [...first.sentence.matches];
  const gainOf = (matches: readonly number[]): number =>
    terms.reduce((sum, { importance }, at) => sum + importance * Math.max(0, matches[at]! - held[at]!), 0) / all;
  // What the text is called says of what the first one tells, and takes the place of a further one; not by words of an earlier question.
  const head = heads[first.sourceIndex] ?? null;
  const isTold = head !== null && (!isOwn.includes(true) || holdsOwn(head, isOwn)) && gainOf(head.matches) >= OPEN_PART;
  const places = isTold && !isDouble ? most - 1 : most;
  for (const candidate of others) {
    if (picked.length >= places || candidate.score < first.score / 2) break;
    if (candidate.isTitle) continue;
    if (picked.some((other) => sayTheSame(other.quote, candidate.quote))) continue;
    if (!isDouble && !sharesSubject(first, candidate, question)) continue;
    const { matches } = candidate.sentence;
    if (matches.some((match) => match > 0) && matches.every((match, at) => match === 0 || match + LESSER <= held[at]!))
      continue;
    if (candidate.score < first.score * NEAR_BEST && gainOf(matches) < OPEN_PART) continue;
    picked.push(candidate);
    for (const [at, match] of matches.entries()) held[at] = Math.max(held[at]!, match);
  }
  return picked;
}

/**
 * Whether a further sentence is about what the best one is about: it holds a word of the matter, beside those of prices and time, and where it is of
 * another source more than a single one that the best one lacks. What completes a question that goes on may be one word.
 */
function sharesSubject(first: Candidate, other: Candidate, { terms, isOwn }: Question): boolean {
  const matter = terms.flatMap(({ form }, at) =>
    frameWeight(form) === 1 && !PRICE_WORD.test(form) && !TIMES.test(form) ? [at] : [],
  );
  const held = matter.filter((at) => other.sentence.matches[at]! >= HELD);
  const isOfOne = first.sourceIndex === other.sourceIndex;
  if (matter.length === 0 || held.length > 1) return true;
  if (isOfOne || isOwn.includes(true))
    return held.length > 0 || (isOfOne && Math.abs(first.sentenceIndex - other.sentenceIndex) === 1);
  return held.some((at) => first.sentence.matches[at]! >= HELD);
}

/** A sentence with its marker; one that opens a list, or a heading above one, with the items (`MAX_ITEMS` at most), each with its marker. */
function write({ quote, source, sentence, sentenceIndex }: Candidate, { text, sentences }: ReadSource): string {
  const quotes = [quote];
  if (sentence.kind === 'heading' || /[:：]$/.test(quote)) {
    for (const next of sentences.slice(sentenceIndex + 1, sentenceIndex + 1 + MAX_ITEMS)) {
      if (next.kind !== 'item') break;
      quotes.push(quoteText(text.slice(next.start, next.end)));
    }
  }
  return quotes.map((one) => `${one} [${source.number}]`).join(' ');
}
