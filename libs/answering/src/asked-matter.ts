import type { AnswerSort } from './answer-sort.js';
import { holdsSort, isMarked } from './answer-sorts.js';
import { frameWeight } from './frame-words.js';
import type { Term } from './overlap.js';
import { TIMES } from './question-profile.js';
import type { ReadSentence } from './source-reader.js';
import { PRICE_WORD } from './tied-rows.js';

/** A statement that may be quoted. */
interface Quotable {
  readonly quote: string;
  readonly sentence: ReadSentence;
}

/** What a question asks for, and by which words. */
interface AskedMatter {
  readonly terms: readonly Term[];
  readonly sort: AnswerSort;
  /** Forms of what it names. */
  readonly names: ReadonlySet<string>;
}

/** A word that a sentence holds less than this far is lacking. */
const HELD = 0.4;

/**
 * Where a number, a time or the like is asked for and something holds it and a word of the matter, what holds nothing but a name of the question is
 * left out: when the laundry of Alder Court closes is told by no sentence on its rents.
 */
export function withoutBareNames<T extends Quotable>(
  candidates: readonly T[],
  { terms, sort, names }: AskedMatter,
): T[] {
  if (sort === 'any' || !isMarked(sort)) return [...candidates];
  const matter = terms.flatMap(({ form, sort: kind }, at) =>
    frameWeight(form) === 1 && kind !== 'number' && !PRICE_WORD.test(form) && !TIMES.test(form) && !names.has(form)
      ? [at]
      : [],
  );
  const holding = candidates.filter(({ sentence }) => matter.some((at) => sentence.matches[at]! >= HELD));
  return holding.some(({ quote }) => holdsSort(sort, quote)) ? holding : [...candidates];
}

/** Where nothing that is quoted holds what is asked for, the sentence beside the best one that does is quoted behind it. */
export function withBeside<T extends Quotable>(
  sort: AnswerSort,
  picked: readonly T[],
  beside: (one: T) => readonly T[],
): T[] {
  const [first] = picked;
  if (first === undefined || sort === 'any' || !isMarked(sort)) return [...picked];
  if (picked.some(({ quote }) => holdsSort(sort, quote))) return [...picked];
  const [next] = beside(first);
  return next === undefined ? [...picked] : [first, next];
}
