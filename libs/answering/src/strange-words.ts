import { frameWeight } from './frame-words.js';
import type { Term } from './overlap.js';
import { contentTermsOf, TIMES } from './question-profile.js';
import { formsIn, QUESTION_WORD } from './question-words.js';
import { SourceReader } from './source-reader.js';
import { PRICE_WORD } from './tied-rows.js';

/** Words of a question that are left out one by one, at most. */
const MOST_WORDS = 8;
/** A word that a statement holds less than this far is not in it. */
const HELD = 0.4;

/** A statement that shares words with a question and may lack others. */
export interface PartlySaid {
  /** Places of the text and of the statement in it (`splitStatements`). */
  readonly text: number;
  readonly at: number;
  /** Forms of what it lacks. */
  readonly lacks: readonly string[];
}

/**
 * The question without one of its words of the matter, by the form of the word. A word that is strange to a statement makes the question less like
 * it: “how many rabbits may I keep” is less like “hens may be kept” than “how many may I keep” is, while “motorbike” brings a question nearer to
 * what is said of motorcycles. Words of prices and time, and scripts without spaces, are not left out. Pure.
 */
export function questionsWithout(question: string): ReadonlyMap<string, string> {
  const forms = contentTermsOf(question).filter(isOfMatter).slice(0, MOST_WORDS);
  const found = new Map<string, string>();
  for (const { form } of forms) {
    const rest = question
      .replace(QUESTION_WORD, (word) => (formsIn(word).some((one) => one.form === form) ? ' ' : word))
      .replace(/\s+/g, ' ')
      .trim();
    if (rest !== '' && rest !== question.trim()) found.set(form, rest);
  }
  return found;
}

/** The statements, no rows of tables, that hold some word of the matter of a question and what they lack of it; those that hold most come first. Pure. */
export function partlySaid(
  question: string,
  texts: readonly { readonly text: string; readonly title: string }[],
): PartlySaid[] {
  const terms = contentTermsOf(question);
  const reader = new SourceReader(terms);
  const found = texts.flatMap(({ text, title }, place) => {
    const read = reader.read(text, title);
    return read.sentences.flatMap(({ kind, isHead, matches }, at): (PartlySaid & { readonly held: number })[] => {
      if (kind === 'row' || kind === 'heading' || isHead) return [];
      const isHeld = (index: number): boolean => Math.max(matches[index]!, read.title[index]!) >= HELD;
      const held = matches.filter((match, index) => match >= HELD && isOfMatter(terms[index]!)).length;
      const lacks = terms.filter((term, index) => isOfMatter(term) && !isHeld(index)).map(({ form }) => form);
      return held === 0 ? [] : [{ text: place, at, lacks, held }];
    });
  });
  return found.toSorted((a, b) => b.held - a.held);
}

function isOfMatter({ form, sort }: Term): boolean {
  return sort === 'word' && frameWeight(form) === 1 && !PRICE_WORD.test(form) && !TIMES.test(form);
}
