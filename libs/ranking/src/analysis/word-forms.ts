import { stemEnglish } from './english-stemmer.js';
import { foldDiacritics } from './normalize.js';

/** Longest term in UTF-16 units; what is longer is cut there, never within a surrogate pair. */
export const MAX_TERM_LENGTH = 64;

const LATIN_LETTERS = /^[a-z]+$/;

/** `term`, cut to the longest length a term may have. */
export function boundTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH
    ? term
    : term
        .slice(0, MAX_TERM_LENGTH)
        .toWellFormed()
        .replace(/\ufffd$/, '');
}

/** The terms of one word. */
export interface WordForms {
  /** Without diacritics and, for the letters a to z, the English stem: what most matches are made by. */
  readonly stem: string;
  /** The word as written and without diacritics, as far as they differ from the stem and each other. */
  readonly exact: readonly string[];
}

const NO_FORMS: readonly string[] = [];

/** Bound of the memo below; text repeats its words, so a small one answers most calls. */
const MEMO_LIMIT = 20_000;
const memo = new Map<string, WordForms>();

/**
 * The forms of a lower-case word. The stemmer knows English only; for other languages in Latin letters its stem is a
 * harmless prefix at worst, because the exact word is beside it and the n-grams carry the inflections.
 */
export function wordForms(word: string): WordForms {
  let forms = memo.get(word);
  if (forms === undefined) {
    // A copy: a slice would keep the whole text alive that it was cut from.
    const own = Buffer.from(boundTerm(word), 'utf16le').toString('utf16le');
    forms = findForms(own);
    if (memo.size >= MEMO_LIMIT) memo.clear();
    if (word.length <= MAX_TERM_LENGTH) memo.set(own, forms);
  }
  return forms;
}

function findForms(bounded: string): WordForms {
  const folded = boundTerm(foldDiacritics(bounded));
  const stem = LATIN_LETTERS.test(folded) ? stemEnglish(folded) : folded;
  if (stem === bounded) return { stem, exact: NO_FORMS };
  const exact = folded === stem || folded === bounded ? [bounded] : [bounded, folded];
  return { stem, exact };
}
