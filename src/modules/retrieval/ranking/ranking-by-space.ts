import { compareScored, type Scored } from '#libs/ranking';
import {
  addedLast,
  nearest,
  NO_RANKS,
  type Candidate,
  type Ranked,
  type RankedLists,
  type RankingFacts,
  type RankingOptions,
} from './ranked-lists.js';

/**
 * Over several embedding models. Cosines of different models are not comparable, so the vector channel is one list for each model, and a
 * chunk's vector counts by its rank there: (k + 1) / (k + rank), which is 1 at the first place of each. Beside it the keyword channel,
 * whose statistics are those of all datasets, counts by rank or score as `fusion.method` says. The share of the vectors is that of the
 * chunk's model; a chunk of a dataset whose model is gone counts by its words alone.
 */
export function rankBySpace<T extends Candidate>(
  candidates: readonly T[],
  keyword: Scored<T>[],
  options: RankingOptions & Required<Pick<RankingOptions, 'bySpace'>>,
  { reached, trust }: Required<RankingFacts>,
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
    const share = use.vectorWeight * (use.byTrust ? (trust.get(space) ?? 1) : 1);
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
