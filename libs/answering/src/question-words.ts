import { termsOf } from './overlap.js';
import type { QuestionProfile } from './question-profile.js';

/** A word as a person counts it: “doctor's” is one. */
export const QUESTION_WORD = /[\p{L}\p{M}\p{N}]+(?:['’]s(?![\p{L}\p{M}\p{N}]))?/giu;
const POSSESSIVE = /['’]s$/iu;

/** A content word of a question, as the question writes it. */
export interface QuestionWord {
  readonly word: string;
  /** Whether no text of those that were searched holds it, in any form as far as letters tell. */
  readonly isNowhere: boolean;
}

/** The content words of a question in its order, each once; of a script without spaces the stretches that occur alike. Pure. */
export function wordsOfQuestion(question: string, { terms }: Pick<QuestionProfile, 'terms'>): QuestionWord[] {
  const known = new Map(terms.map(({ form, isNowhere }) => [form, isNowhere]));
  const spans: { start: number; end: number; isNowhere: boolean }[] = [];
  for (const { 0: word, index } of question.matchAll(QUESTION_WORD)) {
    for (const { start, end, form } of formsIn(word)) {
      const isNowhere = known.get(form);
      if (isNowhere === undefined) continue;
      const last = spans.at(-1);
      const isNext = last !== undefined && index + start < last.end && last.isNowhere === isNowhere;
      if (isNext) last.end = Math.max(last.end, index + end);
      else spans.push({ start: index + start, end: index + end, isNowhere });
    }
  }
  const words = new Map(spans.map(({ start, end, isNowhere }) => [question.slice(start, end), isNowhere]));
  return [...words].map(([word, isNowhere]) => ({ word, isNowhere }));
}

/** The terms of a word with their places in it: itself without the mark of whose it is, or the runs of characters that a script without spaces is cut into. */
export function formsIn(word: string): { start: number; end: number; form: string }[] {
  const terms = termsOf(word.replace(POSSESSIVE, ''));
  let at = 0;
  return terms.map(({ form, sort }) => {
    const found = sort === 'gram' ? word.toLowerCase().indexOf(form, at) : -1;
    if (found < 0) return { start: 0, end: word.length, form };
    at = found;
    return { start: found, end: found + form.length, form };
  });
}
