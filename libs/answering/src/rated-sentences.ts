import type { AnswerSort } from './answer-sort.js';
import { holdsAnswer, type AnswerKind } from './answer-hints.js';
import { COLUMN_SORTS, holdsSort } from './answer-sorts.js';
import { pointsBack } from './condense.js';
import { frameWeight } from './frame-words.js';
import type { Term } from './overlap.js';
import { quoteRow, quoteText } from './quote.js';
import {
  asks,
  closeness,
  headingOver,
  isCertainHeading,
  isLabel,
  isTitle,
  pronounOf,
  questionOver,
  sectionOver,
  withoutNumbers,
} from './sentence-choice.js';
import type { StatedDate } from './source-date.js';
import type { ReadSentence, ReadSource, SourceReader } from './source-reader.js';
import { holdsOwn, wasTold } from './told-before.js';

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

/** How much a word counts that is not in the sentence itself but near it, or in the heading above. */
const CREDIT = { neighbour: 0.4, source: 0.25, title: 0.35, heading: 0.7, pronoun: 0.6, named: 0.95 };
const BONUS = { answer: 0.12, prior: 0.1, close: 0.08, next: 0.15 };
const PENALTY = { question: 0.2, heading: 0.3, fragment: 0.12, echo: 0.15, quoted: 0.25 };

/** A sentence that may be quoted. */
export interface Candidate {
  source: ExtractiveSource & { date: StatedDate | null };
  sourceIndex: number;
  sentenceIndex: number;
  sentence: ReadSentence;
  quote: string;
  coverage: number;
  score: number;
  /** As `score`, without what a pronoun takes up: so it counts beside another sentence. */
  alone: number;
  /** As `sentence.matches`, with what is over it: the question of the text that it answers, its heading, and what a pronoun of it means. */
  about: readonly number[];
  /** Whether it only says what follows, and opens no list. */
  isTitle: boolean;
}

/** A content word of a question. */
export interface WeightedTerm extends Term {
  /** Base weight times rarity within the sources. */
  importance: number;
}

/** A question as its candidates are measured. */
export interface Question {
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

/** The question's content terms, weighted by their rarity among all sentences. */
export function weighTerms(terms: readonly Term[], sources: readonly ReadSource[]): WeightedTerm[] {
  const sentences = sources.flatMap((source) => source.sentences);
  return terms.map((term, at) => {
    const frequency = sentences.reduce((sum, { matches }) => sum + (matches[at]! > 0 ? 1 : 0), 0);
    const rarity = Math.log(1 + (sentences.length + 1) / (frequency + 0.5));
    return { ...term, importance: term.weight * frameWeight(term.form) * rarity };
  });
}

/** The sentences of a source that say something of the question, with how much. */
export function rate(
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
      sentence.isField && !sentences[0]!.isField
        ? sentences[0]
        : (headingOver(question.sort, text, sentences, index) ?? sectionOver(text, sentences, index));
    const meant = pronounOf(text, sentences, index);
    const isAbout =
      isNext ||
      asking !== undefined ||
      (heading !== undefined && !sentence.isField) ||
      sentence.matches.some((match) => match > 0);
    if (sentence.isHead || !isAbout) return [];
    const under = sentence.matches.map((match, at) =>
      Math.max(
        match,
        isNext ? sentences[index - 1]!.matches[at]! : 0,
        asking?.matches[at] ?? 0,
        (sentence.isField ? CREDIT.named : CREDIT.heading) * (heading?.matches[at] ?? 0),
      ),
    );
    const about = under.map((match, at) => Math.max(match, CREDIT.pronoun * (meant?.matches[at] ?? 0)));
    const cover = (held: readonly number[]): number =>
      terms.reduce((sum, { importance }, at) => {
        const beside = Math.max(0, ...near.map((other) => other?.matches[at] ?? 0));
        const around = Math.max(CREDIT.neighbour * beside, CREDIT.source * matches[at]!, CREDIT.title * title[at]!);
        return sum + importance * Math.max(held[at]!, around);
      }, 0) / all;
    const quote = quoteOf(question, text, sentence);
    if (!/[\p{L}\p{N}]/u.test(quote) || isLabel(quote, sentence)) return [];
    const coverage = cover(about);
    const behind = sentence.start >= quotedFrom ? PENALTY.quoted : 0;
    const after = isNext ? BONUS.next : 0;
    const score = coverage + prior + after + adjust(question, quote, sentence) - behind;
    const opens = sentences[index + 1]?.kind === 'item';
    // What a section is called says nothing of it, but for the date that may be asked for.
    if (sentence.isKnownHeading === true && !opens && question.kind !== 'date') return [];
    const alone = meant === undefined ? score : score - coverage + cover(under);
    const found = { source, sourceIndex, sentenceIndex: index, sentence, quote, coverage, score, alone, about };
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

/** A sentence as it is quoted: of a row the cells that the question asks for. */
export function quoteOf(
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
  if (isCertainHeading(sentence)) sum -= PENALTY.heading;
  else if (sentence.kind === 'sentence' && !/\p{P}$/u.test(quote)) sum -= PENALTY.fragment;
  return sum + BONUS.close * closeness(sentence);
}
