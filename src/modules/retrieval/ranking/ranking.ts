import {
  compareScored,
  fuseByReciprocalRank,
  fuseByWeightedSum,
  maximalMarginalRelevance,
  type Fused,
  type Scored,
} from '#libs/ranking';
import {
  addedLast,
  channelOf,
  nearest,
  NO_RANKS,
  type Candidate,
  type Ranked,
  type RankedLists,
  type RankingFacts,
  type RankingOptions,
} from './ranked-lists.js';
import { rankBySpace } from './ranking-by-space.js';

export {
  NO_RANKS,
  type Candidate,
  type Ranked,
  type RankedLists,
  type RankingFacts,
  type RankingOptions,
  type Ranks,
} from './ranked-lists.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * Orders candidates. Each channel ranks all candidates with a score above 0 in it, whichever channel proposed them, and its list is cut at
 * `candidateK`; a hybrid search fuses both lists. Every list is ordered by score, document id and ordinal. Vectors that only order rank the
 * candidates that words found before all others, in their own list and in the fused one, so that these come first, in the same order and with the
 * same scores, also when a search asks for more than words found. In the vector list, candidates of the graph follow those.
 */
export function rankCandidates<T extends Candidate>(
  candidates: readonly T[],
  options: RankingOptions,
  { reached = NONE, trust = new Map() }: RankingFacts = {},
): RankedLists<T> {
  const { searchMethod, candidateK, bySpace } = options;
  const keyword = searchMethod === 'vector' ? [] : channelOf(candidates, (c) => c.keyword, candidateK);
  if (bySpace !== undefined && searchMethod !== 'keyword')
    return rankBySpace(candidates, keyword, { ...options, bySpace }, { reached, trust });
  const isOrdering = searchMethod === 'hybrid' && options.vectors === 'ordering';
  const vector =
    searchMethod === 'keyword' ? [] : nearest(candidates, isOrdering ? keyword : null, reached, candidateK);
  const merged = merge(keyword, vector, options, Math.min(1, ...trust.values()));
  return {
    keyword: keyword.length,
    vector: vector.length,
    kg: 0,
    merged: isOrdering ? foundByWordsFirst(merged) : merged,
  };
}

/** The fused list with the candidates that words found first; the scores of the others are scaled down where they would be higher. */
function foundByWordsFirst<T extends Candidate>(merged: readonly Ranked<T>[]): Ranked<T>[] {
  return addedLast(merged, ({ ranks }) => ranks.keyword === null);
}

function merge<T extends Candidate>(
  keyword: Scored<T>[],
  vector: Scored<T>[],
  options: RankingOptions,
  trust: number,
): Ranked<T>[] {
  const single = (list: Scored<T>[], name: 'keyword' | 'vector'): Ranked<T>[] =>
    list.map((entry, index) => ({
      ...entry,
      kg: null,
      fusion: null,
      rerank: null,
      ranks: { ...NO_RANKS, [name]: index + 1 },
    }));
  if (options.searchMethod === 'keyword') return single(keyword, 'keyword');
  if (options.searchMethod === 'vector') return single(vector, 'vector');
  return fuse(keyword, vector, options.fusion, trust).map(({ item, score, ranks }, index) => ({
    item,
    score,
    kg: null,
    fusion: score,
    rerank: null,
    ranks: { ...NO_RANKS, keyword: ranks[0] ?? null, vector: ranks[1] ?? null, fusion: index + 1 },
  }));
}

function fuse<T extends Candidate>(
  keyword: Scored<T>[],
  vector: Scored<T>[],
  fusion: RankingOptions['fusion'],
  trust: number,
): Fused<T>[] {
  const share = fusion.vectorWeight * (fusion.byTrust ? trust : 1);
  const weights = [1 - share, share] as const;
  if (fusion.method === 'rrf') return fuseByReciprocalRank([keyword, vector], { k: fusion.k, weights });
  return fuseByWeightedSum([
    { results: keyword, weight: weights[0], ceiling: 1 },
    { results: vector, weight: weights[1], ceiling: 1 },
  ]);
}

/** Orders candidates again by a reranker's scores (by candidate id, 0 to 1); candidates without such a score are left out. */
export function rankAgain<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  scores: ReadonlyMap<string, number>,
): Ranked<T>[] {
  return ranked
    .filter(({ item }) => scores.has(item.id))
    .map((entry) => ({ ...entry, score: scores.get(entry.item.id)!, rerank: scores.get(entry.item.id)! }))
    .sort(compareScored)
    .map((entry, index) => ({ ...entry, ranks: { ...entry.ranks, rerank: index + 1 } }));
}

/** Options that decide which ranked candidates are returned. */
export interface Selection<T extends Candidate> {
  readonly scoreThreshold: number | null;
  readonly topK: number;
  /** With `similarity` (0 to 1, symmetric) of two candidates; null without it. */
  readonly mmr: { readonly lambda: number; readonly similarity: (a: T, b: T) => number } | null;
}

/**
 * At most `topK` of the candidates that reach the threshold: the first ones, or those that maximal marginal relevance selects, in the order of
 * selection. The answer for `topK` n is a prefix of that for n + 1.
 */
export function selectResults<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  selection: Selection<T>,
): { readonly passed: number; readonly chosen: readonly Ranked<T>[] } {
  const { scoreThreshold, topK, mmr } = selection;
  const passing = scoreThreshold === null ? ranked : ranked.filter(({ score }) => score >= scoreThreshold);
  const chosen =
    mmr === null ? passing.slice(0, topK) : maximalMarginalRelevance<T, Ranked<T>>(passing, { ...mmr, limit: topK });
  return { passed: passing.length, chosen };
}
