import { compareScored, type Rankable, type Scored } from '#libs/ranking';
import type { EffectiveOptions } from '../request/search-options.js';

/** A candidate with its scores; null where the channel is not part of the search. */
export interface Candidate extends Rankable {
  /** Share of the greatest possible keyword score, 0 to 1. */
  readonly keyword: number | null;
  /** Cosine with the query, calibrated (0 to 1) where its space has a scale, else -1 to 1; null too when the chunk has no vector in the space. */
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

/** A ranked candidate. `score` is the final score so far, 0 to 1; `kg`, `fusion` and `rerank` are the scores of these steps, where they ran. */
export interface Ranked<T extends Candidate> extends Scored<T> {
  readonly kg: number | null;
  readonly fusion: number | null;
  readonly rerank: number | null;
  readonly ranks: Ranks;
}

/** The lists of a search: one for each channel, at most `candidateK` long, and the fused one. */
export interface RankedLists<T extends Candidate> {
  readonly keyword: number;
  readonly vector: number;
  /** Of the graph; 0 where none was asked. */
  readonly kg: number;
  readonly merged: readonly Ranked<T>[];
}

/** Inputs of the ranking beside the options of the search. */
export interface RankingFacts {
  /** Ids that the graph reaches. */
  readonly reached?: ReadonlySet<string>;
  /** How far the vectors of each embedding space are trusted for the question, 0 to 1; wholly where nothing is said. */
  readonly trust?: ReadonlyMap<string, number>;
}

export type RankingOptions = Pick<EffectiveOptions, 'searchMethod' | 'candidateK' | 'fusion' | 'vectors' | 'bySpace'>;

export const NO_RANKS: Ranks = { keyword: null, vector: null, kg: null, fusion: null, rerank: null };

/** By vector: where there is a list `first` those of it, then what the graph reaches, then the others. */
export function nearest<T extends Candidate>(
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

/** The list with those that `isAdded` says behind the others, scaled down as far as they would be above them. */
export function addedLast<T extends Candidate>(
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

/** The best of a channel, as far as they score above 0. */
export function channelOf<T extends Candidate>(
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
