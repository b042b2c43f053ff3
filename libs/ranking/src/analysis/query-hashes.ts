import type { QueryTerms } from './query-terms.js';
import { LEGS, type Leg } from './term-hash.js';

/** By leg the hashes of all that is ever asked of a chunk for the query: its terms, and what shows its units. Ascending, each once. */
export function queryHashes(query: QueryTerms): Readonly<Record<Leg, Uint32Array>> {
  const sought: Record<Leg, Set<number>> = { words: new Set(), grams: new Set(), title: new Set() };
  for (const leg of LEGS) for (const { hash } of query[leg]) sought[leg].add(hash);
  for (const { words, title, pieces, piecesLeg } of query.units) {
    for (const hash of words) sought.words.add(hash);
    for (const hash of title) sought.title.add(hash);
    for (const hash of pieces) sought[piecesLeg].add(hash);
  }
  const sorted = (leg: Leg): Uint32Array => Uint32Array.from(sought[leg]).sort();
  return { words: sorted('words'), grams: sorted('grams'), title: sorted('title') };
}
