import { compareScored, type Scored } from '#libs/ranking';
import { NO_RANKS, type Candidate, type Ranked, type RankedLists } from '../ranking/ranking.js';
import { GRAPH_PARAMETERS } from '../graph/graph-scores.js';

/** What the graph gives candidates, by their ids. */
export type GraphScores = ReadonlyMap<string, { readonly score: number }>;

interface Placed<T extends Candidate> {
  readonly entry: Ranked<T>;
  /** Its rank, or that which the graph gives it. */
  readonly place: number;
  readonly isLifted: boolean;
}

/**
 * Merges the list of the graph into the fused list of the other channels. The first ranks stay as they are. Behind them the first entries of the
 * graph move up, each between two ranks of the list, so that they take at most every second place. Further entries of the graph keep the rank
 * that the other channels give them. The score of a lifted entry lies between those of its new neighbours, so that every method of fusion keeps
 * its scale. Entries that only vectors added (`isAdded`) stay behind all others.
 */
export function liftNeighbours<T extends Candidate>(
  lists: RankedLists<T>,
  candidates: readonly T[],
  scores: GraphScores,
  { candidateK, isAdded }: { readonly candidateK: number; readonly isAdded: (entry: Ranked<T>) => boolean },
): RankedLists<T> {
  const reached = rankReached(candidates, scores, candidateK);
  if (reached.length === 0) return lists;
  const ranks = new Map(reached.map(({ item, score }, index) => [item.id, { score, rank: index + 1 }]));
  const known = new Map(lists.merged.map((entry) => [entry.item.id, entry]));
  const found = lists.merged.filter((entry) => !isAdded(entry));
  const places = new Map(found.map(({ item }, index) => [item.id, index + 1]));
  const lifted = reached.slice(0, GRAPH_PARAMETERS.lifted).flatMap(({ item }, index): Placed<T>[] => {
    const place = Math.min(found.length, GRAPH_PARAMETERS.kept + index) + 0.5;
    if ((places.get(item.id) ?? Infinity) < place) return [];
    return [{ entry: known.get(item.id) ?? unranked(item), place, isLifted: true }];
  });
  const moved = new Set(lifted.map(({ entry }) => entry.item.id));
  const staying = found
    .filter(({ item }) => !moved.has(item.id))
    .map((entry): Placed<T> => ({ entry, place: places.get(entry.item.id)!, isLifted: false }));
  const others = lists.merged.filter((entry) => isAdded(entry) && !moved.has(entry.item.id));
  const ordered = [...staying, ...lifted].sort((a, b) => a.place - b.place);
  const merged = [...rescored(ordered, others[0]?.score ?? 0), ...others].map((entry, index): Ranked<T> => {
    const own = ranks.get(entry.item.id);
    const isFused = entry.fusion !== null || own !== undefined;
    const kg = { kg: own?.score ?? null, fusion: isFused ? entry.score : null };
    return { ...entry, ...kg, ranks: { ...entry.ranks, kg: own?.rank ?? null, fusion: isFused ? index + 1 : null } };
  });
  return { ...lists, kg: reached.length, merged };
}

function rankReached<T extends Candidate>(candidates: readonly T[], scores: GraphScores, limit: number): Scored<T>[] {
  return candidates
    .flatMap((item) => {
      const score = scores.get(item.id)?.score ?? 0;
      return score > 0 ? [{ item, score }] : [];
    })
    .sort(compareScored)
    .slice(0, limit);
}

/** Lifted entries get scores between those of what is before and behind them. */
function rescored<T extends Candidate>(ordered: readonly Placed<T>[], least: number): Ranked<T>[] {
  let before = 1;
  return ordered.map(({ entry, isLifted }, index) => {
    const next = ordered.slice(index + 1).find((one) => !one.isLifted)?.entry.score ?? least;
    const score = isLifted ? (before + next) / 2 : entry.score;
    before = score;
    return { ...entry, score };
  });
}

function unranked<T extends Candidate>(item: T): Ranked<T> {
  return { item, score: 0, kg: null, fusion: null, rerank: null, ranks: NO_RANKS };
}
