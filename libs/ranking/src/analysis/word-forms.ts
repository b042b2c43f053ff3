import { stemEnglish } from './english-stemmer.js';
import { foldDiacritics } from './normalize.js';
import { ownStem, type LatinLanguage, type OwnStem } from './own-stems.js';

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
  /** The stem by the rules of the word's own language, where others than those of English are known; it may be one of the forms above. */
  readonly own?: OwnStem;
}

const NO_FORMS: readonly string[] = [];

/** Bound of the memo below; text repeats its words, so a small one answers most calls. */
const MEMO_LIMIT = 20_000;
const memos = { tr: new Map<string, WordForms>(), other: new Map<string, WordForms>() };

/**
 * The forms of a lower-case word. `stem` knows English only; for other languages in Latin letters it is a
 * harmless prefix at worst, because the exact word is beside it and the n-grams carry the inflections.
 * @param latin the language of the text around the word, where its letters are Latin
 */
export function wordForms(word: string, latin?: LatinLanguage): WordForms {
  const memo = memos[latin ?? 'other'];
  let forms = memo.get(word);
  if (forms === undefined) {
    // A copy: a slice would keep the whole text alive that it was cut from.
    const own = Buffer.from(boundTerm(word), 'utf16le').toString('utf16le');
    forms = findForms(own, latin);
    if (memo.size >= MEMO_LIMIT) memo.clear();
    if (word.length <= MAX_TERM_LENGTH) memo.set(own, forms);
  }
  return forms;
}

function findForms(bounded: string, latin: LatinLanguage): WordForms {
  const folded = boundTerm(foldDiacritics(bounded));
  const stem = LATIN_LETTERS.test(folded) ? stemEnglish(folded) : folded;
  const own = ownStem(bounded, latin);
  const forms = { stem, exact: exactForms(bounded, folded, stem) };
  return own === undefined ? forms : { ...forms, own: { ...own, stem: boundTerm(own.stem) } };
}

function exactForms(bounded: string, folded: string, stem: string): readonly string[] {
  if (stem === bounded) return NO_FORMS;
  return folded === stem || folded === bounded ? [bounded] : [bounded, folded];
}
