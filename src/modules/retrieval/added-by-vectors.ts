import type { Candidate, Ranked, RankingOptions } from './ranking.js';

/** Tells what vectors added to what words found, where they only order it. */
export function isAddedBy({
  searchMethod,
  vectors,
  bySpace,
}: Pick<RankingOptions, 'searchMethod' | 'vectors' | 'bySpace'>): (entry: Ranked<Candidate>) => boolean {
  return ({ item, ranks }) =>
    searchMethod === 'hybrid' &&
    ranks.keyword === null &&
    (bySpace === undefined ? vectors : bySpace[item.space ?? '']?.vectors) === 'ordering';
}
