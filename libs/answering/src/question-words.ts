import type { StatisticsView } from '#libs/ranking';
import { termsOf } from './overlap.js';
import { documentFrequency, type QuestionProfile } from './question-profile.js';

/** A word as a person counts it: “doctor's” is one. */
export const QUESTION_WORD = /[\p{L}\p{M}\p{N}]+(?:['’]s(?![\p{L}\p{M}\p{N}]))?/giu;
const POSSESSIVE = /['’]s$/iu;

/** A content word of a question, as the question writes it. */
export interface QuestionWord {
  readonly word: string;
  /** Whether no text of those that were searched holds it, in any form as far as letters tell. */
  readonly isNowhere: boolean;
}

/** A content word of a question beside one of the texts that were searched. */
export interface QuestionWordInText extends QuestionWord {
  /** Whether this text holds it, in any form as far as letters tell. */
  readonly isInText: boolean;
}

/** The content words of a question in its order, each once; of a script without spaces the stretches that occur alike. Pure. */
export function wordsOfQuestion(question: string, { terms }: Pick<QuestionProfile, 'terms'>): QuestionWord[] {
  const known = new Map(terms.map(({ form, isNowhere }) => [form, isNowhere]));
  return spansOf(question, known).map(([word, isNowhere]) => ({ word, isNowhere }));
}

/** The same beside a text, by the statistics of this text alone and the same measure: what it holds is not nowhere. Pure. */
export function wordsInText(
  question: string,
  { terms }: Pick<QuestionProfile, 'terms'>,
  text: StatisticsView,
): QuestionWordInText[] {
  const known = new Map(
    terms.map((term) => [
      term.form,
      documentFrequency(term, text) > 0 ? 'in_text' : term.isNowhere ? 'nowhere' : 'elsewhere',
    ]),
  );
  return spansOf(question, known).map(([word, place]) => {
    return { word, isNowhere: place === 'nowhere', isInText: place === 'in_text' };
  });
}

/** The words of a question of which something is known, each once with what is known of it. */
function spansOf<Known>(question: string, known: ReadonlyMap<string, Known>): [string, Known][] {
  const spans: { start: number; end: number; fact: Known }[] = [];
  for (const { 0: word, index } of question.matchAll(QUESTION_WORD)) {
    for (const { start, end, form } of formsIn(word)) {
      const fact = known.get(form);
      if (fact === undefined) continue;
      const last = spans.at(-1);
      const isNext = last !== undefined && index + start < last.end && last.fact === fact;
      if (isNext) last.end = Math.max(last.end, index + end);
      else spans.push({ start: index + start, end: index + end, fact });
    }
  }
  return [...new Map(spans.map(({ start, end, fact }) => [question.slice(start, end), fact]))];
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
