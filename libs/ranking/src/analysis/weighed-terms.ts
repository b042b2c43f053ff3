import { QUERY_TERM_LIMITS } from './query-parameters.js';
import { hashTerm, type Leg } from './term-hash.js';

/** A term of a query. */
export interface QueryTerm {
  readonly term: string;
  /** `hashTerm` of the term in its leg. */
  readonly hash: number;
  /** Greater than 0: how much the term counts beside its rarity, each time that the query says it. */
  readonly weight: number;
  /** How often the query says it, 1 or more. */
  readonly count: number;
}

/** Gathers terms with their counts and weights, the greatest weight of a repeated one, in the order of first appearance. */
export class WeighedTerms {
  private readonly terms = new Map<string, { weight: number; count: number }>();

  add(term: string, weight: number): void {
    this.take(term, weight, 1);
  }

  /** A part of a word that is added too: it is counted once, however many words share it. */
  addPart(term: string, weight: number): void {
    this.take(term, weight, this.terms.has(term) ? 0 : 1);
  }

  private take(term: string, weight: number, count: number): void {
    if (term === '') return;
    const known = this.terms.get(term) ?? { weight, count: 0 };
    this.terms.set(term, { weight: Math.max(known.weight, weight), count: known.count + count });
  }

  /** The `limit` terms that promise most, in order of appearance. */
  list(leg: Leg): QueryTerm[] {
    const terms = [...this.terms].map(([term, facts]) => ({ term, hash: hashTerm(leg, term), ...facts }));
    if (terms.length <= QUERY_TERM_LIMITS[leg]) return terms;
    const kept = new Set(byPromise(terms).slice(0, QUERY_TERM_LIMITS[leg]));
    return terms.filter((term) => kept.has(term));
  }
}

/** Rarest-looking first without any statistics: heavy before light, with digits before without, repeated before single, long before short. */
export function byPromise(terms: readonly QueryTerm[]): QueryTerm[] {
  const digits = new Map(terms.map(({ term }) => [term, /\d/.test(term) ? 1 : 0]));
  return terms.toSorted(
    (a, b) =>
      b.weight - a.weight ||
      digits.get(b.term)! - digits.get(a.term)! ||
      b.count - a.count ||
      Math.min(b.term.length, 12) - Math.min(a.term.length, 12),
  );
}
