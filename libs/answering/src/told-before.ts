import type { AnswerSort } from './answer-sort.js';
import { holdsSort, isMarked } from './answer-sorts.js';
import { withoutNotes } from './answerer-notes.js';
import type { ConversationTurn } from './condense.js';
import { frameWeight } from './frame-words.js';
import { findMarkers } from './markers.js';
import { contentFormsOf } from './question-profile.js';
import { foldText, type Term } from './overlap.js';
import type { ReadSentence } from './source-reader.js';

/** A statement that may be quoted. */
interface Quotable {
  readonly quote: string;
  readonly score: number;
  readonly sentence: ReadSentence;
}

/** What is left has at least this share of the score of what was told, else nothing else answers. */
export const LEAST_LEFT = 0.6;
/** How much a word of an earlier question counts: the passage is about it, the answer need not say it again. */
const CARRIED = 0.25;
/** Answers that are looked at, the latest ones. */
const LAST_ANSWERS = 3;

/** Earlier answers of a conversation, oldest first, without those to the same question: who asks it again wants its answer again. */
export function toldBefore(history: readonly ConversationTurn[], asked: string): string[] {
  const told: string[] = [];
  let question = '';
  for (const { role, content } of history) {
    if (role === 'user') question = content;
    else if (role === 'assistant' && foldQuestion(question) !== foldQuestion(asked)) told.push(content);
  }
  return told;
}

function foldQuestion(question: string): string {
  return foldText(onOneLine(question)).replace(/[\s?？！!.。]+$/u, '');
}

/** What the latest answers quote, each on one line: the text before each marker. What is behind the last one was cut, or is no quotation. */
export function readQuotations(answers: readonly string[]): ReadonlySet<string> {
  return new Set(
    answers.slice(-LAST_ANSWERS).flatMap((answer) => {
      const markers = findMarkers(answer);
      const pieces = markers.map(({ start }, at) => answer.slice(markers[at - 1]?.end ?? 0, start));
      return pieces.map((piece) => withoutNotes(onOneLine(piece))).filter((piece) => piece !== '');
    }),
  );
}

/**
 * Whether an earlier answer told a statement already that holds none of the follow-up's own words: “who follows him?” does not ask again who retires.
 * Never where the follow-up has no words of its own (“since when?”), nor of a row that holds the sort of thing that is asked for now: it tells several.
 * @param sort what is asked for
 * @param asked the last message, where the question completes it
 * @param told what earlier answers quote
 */
export function toldTest(
  terms: readonly Pick<Term, 'form'>[],
  sort: AnswerSort,
  asked: string | undefined,
  told: ReadonlySet<string>,
): (one: Pick<Quotable, 'quote' | 'sentence'>) => boolean {
  const isOwn = ownTerms(terms, asked);
  if (told.size === 0 || !isOwn.includes(true)) return () => false;
  const mayTellMore = (quote: string, { kind }: ReadSentence): boolean =>
    kind === 'row' && isMarked(sort) && holdsSort(sort, quote);
  return ({ quote, sentence }) => wasTold(quote, told) && !holdsOwn(sentence, isOwn) && !mayTellMore(quote, sentence);
}

/** For each term whether what was written last holds it, and it is of the matter. */
export function ownTerms(terms: readonly Pick<Term, 'form'>[], asked: string | undefined): boolean[] {
  if (asked === undefined) return terms.map(() => false);
  const forms = contentFormsOf(asked);
  return terms.map(({ form }) => forms.has(form) && frameWeight(form) === 1);
}

/** Whether a sentence holds one of these terms. */
export function holdsOwn({ matches }: Pick<ReadSentence, 'matches'>, isOwn: readonly boolean[]): boolean {
  return matches.some((match, at) => match > 0 && isOwn[at]!);
}

/** Leaves out what was told, unless nothing else comes near it. */
export function withoutTold<T extends Quotable>(candidates: readonly T[], isTold: (one: T) => boolean): T[] {
  const left = candidates.filter((one) => !isTold(one));
  return bestOf(left) < LEAST_LEFT * bestOf(candidates) ? [...candidates] : left;
}

const bestOf = (candidates: readonly Quotable[]): number => Math.max(0, ...candidates.map(({ score }) => score));

/** Whether a quotation is among what earlier answers quote. */
export function wasTold(quote: string, told: ReadonlySet<string>): boolean {
  return told.size > 0 && told.has(onOneLine(quote));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The terms of a completed question; those that what was written last does not hold weigh less. */
export function carryLess(terms: readonly Term[], asked: string | undefined): Term[] {
  if (asked === undefined) return [...terms];
  const own = contentFormsOf(asked);
  return terms.map((term) => (own.has(term.form) ? term : { ...term, weight: CARRIED * term.weight }));
}
