import { mapSteps, type Steps } from '#libs/common';
import { wantedSort } from './asked-sorts.js';
import { withBeside, withoutBareNames } from './asked-matter.js';
import { asksForList, asksTwice, expectedAnswer } from './answer-hints.js';
import { frameWeight } from './frame-words.js';
import { withoutOtherFields } from './labelled-fields.js';
import { stripMarkers } from './markers.js';
import { contentTermsOf, properFormsOf, TIMES } from './question-profile.js';
import { quoteText } from './quote.js';
import { quoteOf, rate, weighTerms, type Candidate, type ExtractiveSource, type Question } from './rated-sentences.js';
import {
  saysWhatIsReplaced,
  supersede,
  withNewer,
  withoutReplacedFigures,
  withWhatHolds,
  type PlacedQuote,
  type Replacement,
} from './replaced-statements.js';
import { replacementPhrase } from './answerer-notes.js';
import { withoutReplaced } from './replaced-names.js';
import { withoutLesserRows, withoutMentions, withoutOtherSubjects } from './row-choice.js';
import { sayTheSame } from './same-statement.js';
import {
  arrange,
  behindOf,
  besideOf,
  fill,
  isDisputed,
  isHead,
  isHeading,
  isOutdone,
  isTitle,
  nearBest,
  withoutHeads,
  withoutOtherSorts,
  withoutQuestions,
} from './sentence-choice.js';
import { withDate } from './source-date.js';
import { comparedOf, pickMeant, rankMeant, type MeantStatement } from './meant-answer.js';
import { carryLess, holdsOwn, LEAST_LEFT, ownTerms, readQuotations, toldTest, withoutTold } from './told-before.js';
import { withoutOtherMatter } from './pronoun-matter.js';
import { PRICE_WORD } from './tied-rows.js';
import { SourceReader, type ReadSource } from './source-reader.js';

export type { ExtractiveSource } from './rated-sentences.js';

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
/** A further sentence is quoted when it comes near the best, or answers a part of the question that is still open. */
const NEAR_BEST = 0.7;
const OPEN_PART = 0.12;
/** A further sentence that holds every word less than this far behind what is quoted holds nothing but other words that look alike. */
const LESSER = 0.25;
/** A word that a sentence holds less than this far is lacking. */
const HELD = 0.4;
const MAX_ITEMS = 8;

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
  const ratedAll = (yield* mapSteps(read, (one, index) => rate(weighed, one, dated[index]!, index, most))).flat();
  const rated = withoutOtherMatter(ratedAll, { terms, isOwn, asked: options.asked }, read);
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
  // What a follow-up leaves out is in no sentence.
  const isOfWords = options.asked === undefined && isOutdone(found, byWords, sort, weigh);
  const meant = isOfWords || isDisputed(found, byWords) ? [] : found;
  const picked = meant.length === 0 ? byWords : asksForList(question) ? fill(meant, byWords, maxSentences) : meant;
  const coverage = picked[0]?.coverage ?? 0;
  if (picked.length === 0 || (meant.length === 0 && coverage < minCoverage)) return null;
  const ordered = withWhatIsNew(picked, rated, read, toCandidate);
  const phrase = replacementPhrase(question);
  const written = ordered.map(
    ({ one, replaced }) => `${replaced === null ? '' : phrase(replaced)}${write(one, read[one.sourceIndex]!)}`,
  );
  return {
    answer: written.join(' '),
    used: [...new Set(ordered.map(({ one }) => one.source.number))],
    coverage,
  };
}

/** What was picked, with what was replaced only beside what replaced it. */
function withWhatIsNew(
  picked: readonly Candidate[],
  rated: readonly Candidate[],
  read: readonly ReadSource[],
  make: (source: number, at: number) => Candidate,
): PlacedQuote<Candidate>[] {
  const behind = ({ sourceIndex, sentenceIndex }: Candidate): Candidate[] =>
    behindOf(read[sourceIndex]!, sentenceIndex).map((at) => make(sourceIndex, at));
  const holding = withWhatHolds(withoutReplacedFigures(arrange(picked), replacementsIn(read, make)), behind);
  return supersede(withNewer(holding, nearBest(rated)));
}

/** What the sources say to be replaced, with the statement that it is replaced by. */
function replacementsIn(
  read: readonly ReadSource[],
  make: (source: number, at: number) => Candidate,
): Replacement<Candidate>[] {
  return read.flatMap(({ text, sentences }, source) =>
    sentences.flatMap(({ start, end }, at) =>
      at > 0 && sentences[at - 1]!.kind !== 'heading' && saysWhatIsReplaced(text.slice(start, end))
        ? [{ one: make(source, at - 1), said: make(source, at) }]
        : [],
    ),
  );
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
    alone: 0,
    about: sentence.matches,
    isTitle: false,
  };
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
    if (candidate.isTitle || candidate.alone < first.score / 2) continue;
    if (picked.some((other) => sayTheSame(other.quote, candidate.quote))) continue;
    if (!isDouble && !sharesSubject(first, candidate, question)) continue;
    const { matches } = candidate.sentence;
    if (matches.some((match) => match > 0) && matches.every((match, at) => match === 0 || match + LESSER <= held[at]!))
      continue;
    if (candidate.alone < first.score * NEAR_BEST && gainOf(matches) < OPEN_PART) continue;
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
  if (isHeading(text, sentence) || /[:：]$/.test(quote)) {
    for (const next of sentences.slice(sentenceIndex + 1, sentenceIndex + 1 + MAX_ITEMS)) {
      if (next.kind !== 'item') break;
      quotes.push(quoteText(text.slice(next.start, next.end)));
    }
  }
  return quotes.map((one) => `${one} [${source.number}]`).join(' ');
}
