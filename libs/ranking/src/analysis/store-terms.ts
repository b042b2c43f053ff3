import type { EncodedTerms } from './encoded-terms.js';
import { candidateTerms } from './query-terms.js';
import type { QueryTerms } from './query-terms.js';
import { hashTerm, LEGS } from './term-hash.js';
import type { Leg } from './term-hash.js';

/** Terms as a vector store indexes and is asked for them. */
export type StoreTerms = Readonly<Record<Leg, string[]>>;

/** How a term is written in a store: its hash in base 36, so that every script gives ASCII tokens of at most 7 characters. */
function tokenOf(hash: number): string {
  return hash.toString(36);
}

/** What a store gets that proposes by no n-grams. */
const WITHOUT_GRAMS = ['words', 'title'] as const;

/**
 * A chunk's distinct terms, with n-grams or without, from their stored form: a store can be rebuilt without analysing any text again. How often a term
 * occurs is left to the ranking, which knows it: the store only proposes. A store may even miss rows when terms repeat: LanceDB
 * 0.31 finds nothing for a term that occurs more often in the rows it has not indexed yet than there are such rows.
 */
export function storeTerms(chunk: EncodedTerms, withGrams = true): StoreTerms {
  const terms: Record<Leg, string[]> = { words: [], grams: [], title: [] };
  for (const leg of withGrams ? LEGS : WITHOUT_GRAMS)
    for (const hash of chunk[leg].hashes) terms[leg].push(tokenOf(hash));
  return terms;
}

/** What a store is asked with: the query's distinct terms of each leg, most promising first. */
export function storeQueryTerms(query: QueryTerms): StoreTerms {
  const terms = candidateTerms(query);
  const tokens = (leg: Leg): string[] => terms[leg].map((term) => tokenOf(hashTerm(leg, term)));
  return { words: tokens('words'), grams: tokens('grams'), title: tokens('title') };
}
