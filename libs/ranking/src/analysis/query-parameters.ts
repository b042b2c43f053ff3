import type { Leg } from './term-hash.js';

/** Most terms of a leg; in sum far below the 1,024 clauses at which engines refuse a query. */
export const QUERY_TERM_LIMITS: Readonly<Record<Leg, number>> = { words: 96, grams: 256, title: 64 };

/** A form that differs from the stem, beside the stem's 1: it only tells apart what the stem has found. */
export const EXACT_WEIGHT = 0.15;
/** The word, or its English stem, beside its stem of 1 by the rules of its own language. A question may be taken for Turkish wrongly. */
export const BESIDE_OWN_STEM = { ar: 0.15, ru: 0.15, tr: 0.5 } as const;
/** A function word beside a content word's 1. */
export const FUNCTION_WEIGHT = 0.1;
/** N-grams of Latin letters support the words; other alphabets live by them, unless their words are stemmed. */
export const LATIN_GRAM_WEIGHT = 0.2;
export const ALPHABET_GRAM_WEIGHT = 1;
export const STEMMED_GRAM_WEIGHT = 0.5;
export const RUN_GRAM_WEIGHT = 0.3;

/** How much the terms of a query count: a change of any changes scores. */
export const QUERY_PARAMETERS = {
  limits: QUERY_TERM_LIMITS,
  exact: EXACT_WEIGHT,
  besideOwnStem: BESIDE_OWN_STEM,
  function: FUNCTION_WEIGHT,
  latinGrams: LATIN_GRAM_WEIGHT,
  alphabetGrams: ALPHABET_GRAM_WEIGHT,
  stemmedGrams: STEMMED_GRAM_WEIGHT,
  runGrams: RUN_GRAM_WEIGHT,
} as const;
