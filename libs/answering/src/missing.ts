import type { JudgedSource } from './answered.js';
import { STRANGE } from './near-miss.js';
import type { QuestionProfile, QuestionTerm } from './question-profile.js';
import { formsIn, QUESTION_WORD } from './question-words.js';
import { SourceReader } from './source-reader.js';
import { statedOrdinals } from './stated-numbers.js';

/** What is missing where passages do not answer a question. */
export const MISSING_KINDS = ['nothing_alike', 'another_thing', 'too_weak'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];

/** What passages lack to answer a question. */
export interface Missing {
  /** `another_thing`: the nearest passage is about something alike, without what the question names. */
  readonly kind: MissingKind;
  /**
   * What the nearest passage does not hold, as the question writes it, the rarest first: of `another_thing` the names, numbers and
   * words that lead away from it, else all words.
   */
  readonly words: readonly string[];
}

/** A passage that holds less of a question, by importance, is not alike. */
const ALIKE = 0.2;
/** A word that a passage holds less than this far is lacking. */
const HELD = 0.4;
const MOST_WORDS = 5;

/**
 * Says what the passages lack, by words.
 * @param isNear whether something else than words (a calibrated similarity) found them alike.
 */
export function findMissing(
  question: string,
  { terms, ordinals }: QuestionProfile,
  sources: readonly JudgedSource[],
  isNear = false,
): Missing {
  const all = terms.reduce((sum, { importance }) => sum + importance, 0);
  const reader = new SourceReader(terms);
  const held = sources.map(({ text, title }) => {
    const read = reader.read(text, title);
    return read.matches.map((match, at) => Math.max(match, read.title[at]!));
  });
  const shares = held.map((matches) => matches.reduce((sum, match, at) => sum + match * terms[at]!.importance, 0));
  const best = shares.indexOf(Math.max(...shares));
  const lacking = terms.filter((_, at) => (held[best]?.[at] ?? 0) < HELD);
  const isAlike = best >= 0 && (isNear || (all > 0 && shares[best]! >= ALIKE * all));
  const wordsOf = (those: readonly QuestionTerm[]): string[] => surfacesOf(question, those.toSorted(byImportance));
  if (!isAlike) return { kind: 'nothing_alike', words: wordsOf(lacking) };
  const stated = statedOrdinals(sources[best]!.text);
  const isAnotherOne = stated.length > 0 && ordinals.some((ordinal) => !stated.includes(ordinal));
  const strange = strangeForms(sources[best]!);
  const named = lacking.filter(({ isProper, form }) => isProper || strange.has(form));
  if (isAnotherOne || named.length > 0) return { kind: 'another_thing', words: wordsOf(named) };
  return { kind: 'too_weak', words: wordsOf(lacking) };
}

/** Forms of words that lead away from some statement of a source. */
function strangeForms({ strange = [] }: JudgedSource): ReadonlySet<string> {
  const found = strange.flatMap((words) => [...(words ?? [])].filter(([, by]) => by >= STRANGE));
  return new Set(found.map(([form]) => form));
}

function byImportance(a: QuestionTerm, b: QuestionTerm): number {
  return Number(b.isProper) - Number(a.isProper) || b.importance - a.importance;
}

/** Terms as the question writes them; neighbours that both are lacking are one name. */
function surfacesOf(question: string, terms: readonly QuestionTerm[]): string[] {
  const spans: { start: number; end: number; rank: number; isName: boolean }[] = [];
  const ranks = new Map(terms.map(({ form }, rank) => [form, rank]));
  const names = new Set(terms.filter(({ isProper }) => isProper).map(({ form }) => form));
  for (const { 0: word, index } of question.matchAll(QUESTION_WORD)) {
    for (const { start, end, form } of formsIn(word)) {
      const rank = ranks.get(form);
      if (rank === undefined) continue;
      const span = { start: index + start, end: index + end, rank, isName: names.has(form) };
      const last = spans.at(-1);
      const isNext = last !== undefined && (span.start <= last.end || joins(question, last, span));
      if (!isNext) spans.push(span);
      else Object.assign(last, { end: span.end, rank: Math.min(last.rank, rank) });
    }
  }
  const ordered = spans.toSorted((a, b) => a.rank - b.rank).map(({ start, end }) => question.slice(start, end));
  return [...new Set(ordered)].slice(0, MOST_WORDS);
}

function joins(
  question: string,
  last: { readonly end: number; readonly isName: boolean },
  next: { readonly start: number; readonly isName: boolean },
): boolean {
  return last.isName && next.isName && question.slice(last.end, next.start) === ' ';
}
