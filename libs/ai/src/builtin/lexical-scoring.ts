import { lexicalMatch, lexicalTerms, lexicalWeight, type LexicalTerm } from './lexical-terms.js';

/** Shares of the three signals; together 1. */
const COVERAGE_SHARE = 0.5;
const PASSAGE_SHARE = 0.25;
const ORDER_SHARE = 0.25;
/** Terms of the passage in which the query's terms are looked for together: two or three sentences. */
const PASSAGE_TERMS = 40;
/** Two terms that follow each other in the query may be this far apart in the document. */
const ORDER_DISTANCE = 3;
/** Terms of a query that are compared; long questions of hundreds of words are real. */
const MAX_QUERY_TERMS = 128;
/** A first occurrence earns this much of a term's weight; each further one closes half of what is missing. */
const FIRST_OCCURRENCE = 0.5;

/** One place of a document where a term of the query is. */
export interface Hit {
  readonly position: number;
  /** Which term of the query. */
  readonly term: number;
  /** 0 to 1, how well it fits. */
  readonly match: number;
}

/** A query, cut into terms. */
export interface LexicalQuery {
  readonly terms: readonly LexicalTerm[];
  readonly weights: readonly number[];
  readonly total: number;
  /** Text of a term to its index. */
  readonly exact: ReadonlyMap<string, number>;
}

/** Where the terms of a query are in one document. */
export type DocumentHits = readonly Hit[];

/** Reads a document for a query; the first half of scoring, so that no document's text is kept for the second. */
export function findLexicalHits(query: LexicalQuery, document: string): DocumentHits {
  return findHits(query, lexicalTerms(document));
}

/**
 * One score per document, 0 to 1: how much of the query it holds, how much of it in one passage, and how many neighbours of
 * the query are near each other in the same order (a phrase has them all). A term that few of the documents hold counts more.
 */
export function scoreLexically(query: LexicalQuery, documents: readonly DocumentHits[]): number[] {
  const weighted = weighByRarity(query, documents);
  return documents.map((hits) => {
    if (hits.length === 0 || weighted.total === 0) return 0;
    const score =
      COVERAGE_SHARE * coverage(weighted, hits) +
      PASSAGE_SHARE * bestPassage(weighted, hits) +
      ORDER_SHARE * order(weighted, hits);
    return Math.min(1, score);
  });
}

function weighByRarity(query: LexicalQuery, documents: readonly DocumentHits[]): LexicalQuery {
  const holders = new Float64Array(query.terms.length);
  for (const hits of documents) for (const term of new Set(hits.map((hit) => hit.term))) holders[term]! += 1;
  const weights = query.weights.map(
    (weight, term) => weight * Math.log(1 + (documents.length + 0.5) / (holders[term]! + 0.5)),
  );
  return { ...query, weights, total: sum(weights) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The distinct terms of a query's text, weighted without knowledge of any document. */
export function readLexicalQuery(text: string): LexicalQuery {
  const seen = new Set<string>();
  const terms: LexicalTerm[] = [];
  for (const term of lexicalTerms(text)) {
    if (seen.has(term.text) || terms.length === MAX_QUERY_TERMS) continue;
    seen.add(term.text);
    terms.push(term);
  }
  const weights = terms.map(lexicalWeight);
  return { terms, weights, total: sum(weights), exact: new Map(terms.map((term, index) => [term.text, index])) };
}

function findHits(query: LexicalQuery, document: readonly LexicalTerm[]): Hit[] {
  const known = new Map<string, readonly Omit<Hit, 'position'>[]>();
  const hits: Hit[] = [];
  document.forEach((word, position) => {
    let matches = known.get(word.text);
    if (matches === undefined) {
      matches = matchesOf(query, word);
      known.set(word.text, matches);
    }
    for (const match of matches) hits.push({ position, ...match });
  });
  return hits;
}

function matchesOf(query: LexicalQuery, word: LexicalTerm): Omit<Hit, 'position'>[] {
  const exact = query.exact.get(word.text);
  if (exact !== undefined) return [{ term: exact, match: 1 }];
  if (!word.isWord) return [];
  return query.terms
    .map((term, index) => ({ term: index, match: lexicalMatch(term, word) }))
    .filter(({ match }) => match > 0);
}

/** Share of the query's weight that the document holds; more occurrences of a term count a little more. */
function coverage(query: LexicalQuery, hits: readonly Hit[]): number {
  const best = new Float64Array(query.terms.length);
  const missing = new Float64Array(query.terms.length).fill(2 * (1 - FIRST_OCCURRENCE));
  for (const { term, match } of hits) {
    best[term] = Math.max(best[term]!, match);
    missing[term]! /= 2;
  }
  return sum(query.weights.map((weight, term) => weight * best[term]! * (1 - missing[term]!))) / query.total;
}

/** The largest share of the query's weight within any passage of the document. */
function bestPassage(query: LexicalQuery, hits: readonly Hit[]): number {
  const inside = new Int32Array(query.terms.length);
  let first = 0;
  let weight = 0;
  let best = 0;
  for (const hit of hits) {
    while (hits[first]!.position <= hit.position - PASSAGE_TERMS) {
      const left = hits[first++]!.term;
      if (--inside[left]! === 0) weight -= query.weights[left]!;
    }
    if (inside[hit.term]!++ === 0) weight += query.weights[hit.term]!;
    best = Math.max(best, weight);
  }
  return Math.min(1, best / query.total);
}

/** Share of the query's pairs of neighbours that the document has in the same order and near each other; for a single term whether it is there. */
function order(query: LexicalQuery, hits: readonly Hit[]): number {
  const pairs = query.terms.length - 1;
  if (pairs === 0) return Math.max(...hits.map(({ match }) => match));
  const found = new Float64Array(pairs);
  hits.forEach((hit, index) => {
    for (let next = index + 1; next < hits.length; next++) {
      const distance = hits[next]!.position - hit.position;
      if (distance > ORDER_DISTANCE) break;
      if (distance === 0 || hits[next]!.term !== hit.term + 1) continue;
      const nearness = (hit.match * hits[next]!.match) / distance;
      found[hit.term] = Math.max(found[hit.term]!, nearness);
    }
  });
  const weightOf = (pair: number): number => Math.max(query.weights[pair]!, query.weights[pair + 1]!);
  const weights = Array.from(found, (_, pair) => weightOf(pair));
  return sum(weights.map((weight, pair) => weight * found[pair]!)) / sum(weights);
}
