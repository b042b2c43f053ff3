import { fuseByReciprocalRank } from '#libs/ranking';
import type { FoundCandidates } from '../candidates/candidate-finder.service.js';
import { NO_RANKS, type Candidate, type Ranked } from '../ranking/ranking.js';

/** Merges the results of several phrasings of a question. */
export function joinFound([first, ...others]: readonly [FoundCandidates, ...FoundCandidates[]]): FoundCandidates {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const chunks = new Map(all.flatMap((found) => found.chunks).map((chunk) => [chunk.id, chunk]));
  return {
    chunks: [...chunks.values()],
    proposed: all.reduce((sum, { proposed }) => sum + proposed, 0),
    documents: new Set(all.flatMap(({ documents }) => [...documents])),
    // A change that one of them has not seen yet is a change for all.
    seqs: first.seqs.map((_, at) => all.map(({ seqs }) => seqs[at]!).reduce((a, b) => (b < a ? b : a))),
    isTorn: all.some(({ isTorn }) => isTorn),
  };
}

/**
 * Merges the lists of several phrasings by reciprocal ranks with equal weights, so that an item that one phrasing finds first comes before an
 * item that all find far down. The scores and ranks of channels are those of the query itself; `candidates` holds all items as the query scored
 * them.
 */
export function joinRanked<T extends Candidate>(
  query: readonly Ranked<T>[],
  others: readonly (readonly Ranked<T>[])[],
  candidates: readonly T[],
): readonly Ranked<T>[] {
  if (others.length === 0) return query;
  const own = new Map(query.map((entry) => [entry.item.id, entry.ranks]));
  const scored = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  return fuseByReciprocalRank<T>([query, ...others]).map(({ item, score }, index) => {
    const ranks = own.get(item.id) ?? NO_RANKS;
    return {
      item: scored.get(item.id) ?? item,
      score,
      kg: null,
      fusion: score,
      rerank: null,
      ranks: { ...ranks, fusion: index + 1 },
    };
  });
}
