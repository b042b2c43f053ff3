import {
  compareScored,
  fuseByReciprocalRank,
  fuseByWeightedSum,
  maximalMarginalRelevance,
  type Fused,
  type Rankable,
  type Scored,
} from '#libs/text';
import { trustInVectors } from './channel-agreement.js';
import type { EffectiveOptions } from './search-options.js';

/** A candidate with the scores that the application gave it; null where the channel is not part of the search. */
export interface Candidate extends Rankable {
  /** Share of the greatest possible keyword score, 0 to 1. */
  readonly keyword: number | null;
  /** Cosine with the query, -1 to 1; null too when the chunk has no vector in the space. */
  readonly cosine: number | null;
  /** The embedding space that the cosine is of; looked at where there are several. */
  readonly space?: string | null;
}

/** Places in the lists, from 1; null where it is absent or there is no such list. */
export interface Ranks {
  readonly keyword: number | null;
  readonly vector: number | null;
  readonly kg: number | null;
  readonly fusion: number | null;
  readonly rerank: number | null;
}

/** A candidate in its place. `score` is the final score so far, 0 to 1; `kg`, `fusion` and `rerank` those of the steps, where they ran. */
export interface Ranked<T extends Candidate> extends Scored<T> {
  readonly kg: number | null;
  readonly fusion: number | null;
  readonly rerank: number | null;
  readonly ranks: Ranks;
}

/** The lists of a search: each channel's, at most `candidateK` long, and the one that they became. */
export interface RankedLists<T extends Candidate> {
  readonly keyword: number;
  readonly vector: number;
  /** Of the graph; 0 where none was asked. */
  readonly kg: number;
  readonly merged: readonly Ranked<T>[];
}

const NONE: ReadonlySet<string> = new Set();

export type RankingOptions = Pick<EffectiveOptions, 'searchMethod' | 'candidateK' | 'fusion' | 'vectors' | 'bySpace'>;

/**
 * Orders candidates. Each channel ranks all of them, whichever channel proposed them, by its own score, as far as it is above
 * 0, and is cut at `candidateK`; a hybrid search fuses both lists. Every list is ordered by score, document id and ordinal.
 * Vectors that only order rank what words found before all others, in their own list and in the fused one: then a search that asks
 * for more than words found has what they found first, in the same order and with the same scores. `reached` (ids that the graph reaches)
 * come behind those in the vector list: they are candidates whatever else vectors add.
 */
export function rankCandidates<T extends Candidate>(
  candidates: readonly T[],
  options: RankingOptions,
  reached: ReadonlySet<string> = NONE,
): RankedLists<T> {
  const { searchMethod, candidateK, bySpace } = options;
  const keyword = searchMethod === 'vector' ? [] : channelOf(candidates, (c) => c.keyword, candidateK);
  if (bySpace !== undefined && searchMethod !== 'keyword')
    return rankBySpace(candidates, keyword, { ...options, bySpace }, reached);
  const isOrdering = searchMethod === 'hybrid' && options.vectors === 'ordering';
  const vector =
    searchMethod === 'keyword' ? [] : nearest(candidates, isOrdering ? keyword : null, reached, candidateK);
  const merged = merge(keyword, vector, options);
  return {
    keyword: keyword.length,
    vector: vector.length,
    kg: 0,
    merged: isOrdering ? foundByWordsFirst(merged) : merged,
  };
}

/** By vector: where there is a list `first` those of it, then what the graph reaches, then the others. */
function nearest<T extends Candidate>(
  candidates: readonly T[],
  first: readonly Scored<T>[] | null,
  reached: ReadonlySet<string>,
  limit: number,
): Scored<T>[] {
  const byCosine = channelOf(candidates, (c) => c.cosine, candidates.length);
  if (first === null) return byCosine.slice(0, limit);
  const listed = new Set(first.map(({ item }) => item.id));
  const tierOf = ({ item: { id } }: Scored<T>): number => (listed.has(id) ? 0 : reached.has(id) ? 1 : 2);
  return [0, 1, 2].flatMap((tier) => byCosine.filter((entry) => tierOf(entry) === tier)).slice(0, limit);
}

/**
 * Over several embedding models. Cosines of different models are not comparable, so the vector channel is one list for each model, and a
 * chunk's vector counts by its rank there: (k + 1) / (k + rank), which is 1 at the first place of each. Beside it the keyword channel,
 * whose statistics are those of all datasets, counts by rank or score as `fusion.method` says. The share of the vectors is that of the
 * chunk's model; a chunk of a dataset whose model is gone counts by its words alone.
 */
function rankBySpace<T extends Candidate>(
  candidates: readonly T[],
  keyword: Scored<T>[],
  options: RankingOptions & Required<Pick<RankingOptions, 'bySpace'>>,
  reached: ReadonlySet<string>,
): RankedLists<T> {
  const { candidateK, fusion, bySpace } = options;
  const isHybrid = options.searchMethod === 'hybrid';
  const places = new Map<T, { rank: number; share: number }>();
  for (const [space, use] of Object.entries(bySpace)) {
    const own = ({ item }: Scored<T>): boolean => item.space === space;
    const words = keyword.filter(own);
    const first = isHybrid && use.vectors === 'ordering' ? words : null;
    const list = nearest(
      candidates.filter((item) => item.space === space),
      first,
      reached,
      candidateK,
    );
    const share = use.vectorWeight * (use.byAgreement ? trustInVectors(words, list) : 1);
    list.forEach(({ item }, index) => places.set(item, { rank: index + 1, share }));
    for (const { item } of words) if (!places.has(item)) places.set(item, { rank: 0, share });
  }
  const byRank = (rank: number): number => (rank === 0 ? 0 : (fusion.k + 1) / (fusion.k + rank));
  const keywordPlaces = new Map(keyword.map(({ item, score }, index) => [item, { rank: index + 1, score }]));
  const listed = [...new Set([...keywordPlaces.keys(), ...places.keys()])].map((item): Ranked<T> => {
    const { rank, share } = places.get(item) ?? { rank: 0, share: 0 };
    const words = keywordPlaces.get(item) ?? { rank: 0, score: 0 };
    const byWords = fusion.method === 'rrf' ? byRank(words.rank) : words.score;
    const score = isHybrid ? (1 - share) * byWords + share * byRank(rank) : byRank(rank);
    const ranks = { ...NO_RANKS, keyword: words.rank || null, vector: rank || null };
    return { item, score, kg: null, fusion: null, rerank: null, ranks };
  });
  const ordered = listed.filter(({ score }) => score > 0).sort(compareScored);
  const vector = [...places.values()].filter(({ rank }) => rank > 0).length;
  const isAdded = ({ item, ranks }: Ranked<T>): boolean =>
    ranks.keyword === null && bySpace[item.space ?? '']?.vectors === 'ordering';
  const merged = isHybrid ? addedLast(ordered, isAdded) : ordered;
  return { keyword: keyword.length, vector, kg: 0, merged };
}

/** The fused list with what words found first; the scores of the others are scaled down as far as they would stand above it. */
function foundByWordsFirst<T extends Candidate>(merged: readonly Ranked<T>[]): Ranked<T>[] {
  return addedLast(merged, ({ ranks }) => ranks.keyword === null);
}

function addedLast<T extends Candidate>(
  merged: readonly Ranked<T>[],
  isAdded: (entry: Ranked<T>) => boolean,
): Ranked<T>[] {
  const found = merged.filter((entry) => !isAdded(entry));
  const others = merged.filter(isAdded);
  const [least, greatest] = [found.at(-1)?.score ?? 1, others[0]?.score ?? 0];
  const scale = greatest > least ? least / greatest : 1;
  return [...found, ...others].map((entry, index) => {
    const score = index >= found.length ? entry.score * scale : entry.score;
    return { ...entry, score, fusion: score, ranks: { ...entry.ranks, fusion: index + 1 } };
  });
}

function channelOf<T extends Candidate>(
  candidates: readonly T[],
  scoreOf: (c: T) => number | null,
  limit: number,
): Scored<T>[] {
  return candidates
    .map((item) => ({ item, score: scoreOf(item) ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort(compareScored)
    .slice(0, limit);
}

export const NO_RANKS: Ranks = { keyword: null, vector: null, kg: null, fusion: null, rerank: null };

function merge<T extends Candidate>(keyword: Scored<T>[], vector: Scored<T>[], options: RankingOptions): Ranked<T>[] {
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
  return fuse(keyword, vector, options.fusion).map(({ item, score, ranks }, index) => ({
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
): Fused<T>[] {
  const share = fusion.vectorWeight * (fusion.byAgreement ? trustInVectors(keyword, vector) : 1);
  const weights = [1 - share, share] as const;
  if (fusion.method === 'rrf') return fuseByReciprocalRank([keyword, vector], { k: fusion.k, weights });
  return fuseByWeightedSum([
    { results: keyword, weight: weights[0], ceiling: 1 },
    { results: vector, weight: weights[1], ceiling: 1 },
  ]);
}

/** Orders candidates anew by a reranker's scores (by candidate id, 0 to 1); what it did not score is left out. */
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

/** What decides which ranked candidates are returned. */
export interface Selection<T extends Candidate> {
  readonly scoreThreshold: number | null;
  readonly topK: number;
  /** With `similarity` (0 to 1, symmetric) of two candidates; null without it. */
  readonly mmr: { readonly lambda: number; readonly similarity: (a: T, b: T) => number } | null;
}

/**
 * What reaches the threshold, then at most `topK` of it: the first ones, or those that maximal marginal relevance takes, in
 * the order in which it takes them. The answer for `topK` n is a prefix of that for n + 1.
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
