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
  readonly score: number;
  readonly sentence: ReadSentence;
  /** As `sentence.matches`, with what is over it. */
  readonly about: readonly number[];
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
/** Where no sort of thing is asked for, the matter goes before names where something that holds it has this share of the best score. */
const NEAR_BEST = 0.8;

/**
 * Where something holds a word of the matter, what holds nothing but a name of the question is left out: how the agreement with Harbour Spokes ends is
 * told by no sentence on their batteries. Where a number, a time or the like is asked for, it has to hold that, too.
 */
export function withoutBareNames<T extends Quotable>(
  candidates: readonly T[],
  { terms, sort, names }: AskedMatter,
): T[] {
  const isSort = sort !== 'any' && isMarked(sort);
  const isNumber = ({ form, sort: kind }: Term): boolean => kind === 'number' || /\p{N}/u.test(form);
  const matter = terms.flatMap((term, at) =>
    frameWeight(term.form) === 1 &&
    !isNumber(term) &&
    !PRICE_WORD.test(term.form) &&
    !TIMES.test(term.form) &&
    !names.has(term.form)
      ? [at]
      : [],
  );
  if (matter.length === 0) return [...candidates];
  // A limit tells of a number without the word that it is a limit of.
  const numbers = isSort ? [] : terms.flatMap((term, at) => (isNumber(term) ? [at] : []));
  const holding = candidates.filter(({ about }) => [...matter, ...numbers].some((at) => about[at]! >= HELD));
  const best = (those: readonly T[]): number => Math.max(0, ...those.map(({ score }) => score));
  const isTold = isSort
    ? holding.some(({ quote }) => holdsSort(sort, quote))
    : best(holding) >= NEAR_BEST * best(candidates);
  return isTold ? holding : [...candidates];
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
