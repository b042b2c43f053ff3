/** Something that is ranked, with what breaks ties: the document and the place in it. */
export interface Rankable {
  /** Identity of the chunk. */
  readonly id: string;
  readonly documentId: string;
  /** Position of the chunk in its document, from 0. */
  readonly ordinal: number;
}

/** A ranked item with its score. */
export interface Scored<T extends Rankable> {
  readonly item: T;
  readonly score: number;
}

/** An item after fusion: where each list had it. */
export interface Fused<T extends Rankable> extends Scored<T> {
  /** Rank in each list, from 1, in the order of the lists; null where it is absent. */
  readonly ranks: readonly (number | null)[];
}

/** Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009. */
export const DEFAULT_RRF_K = 60;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The order of every ranking: score descending, then document id, ordinal and id ascending, by code units. Total over
 * distinct ids, so that a sort gives one order whatever the order of its input.
 */
export function compareScored(a: Scored<Rankable>, b: Scored<Rankable>): number {
  return (
    b.score - a.score ||
    compareText(a.item.documentId, b.item.documentId) ||
    a.item.ordinal - b.item.ordinal ||
    compareText(a.item.id, b.item.id)
  );
}

interface Candidate<T extends Rankable> {
  readonly item: T;
  readonly ranks: (number | null)[];
  readonly scores: (number | null)[];
}

/** All items of the lists, each once; of an item that a list repeats the first place counts. */
function gather<T extends Rankable>(lists: readonly (readonly Scored<T>[])[]): Candidate<T>[] {
  const candidates = new Map<string, Candidate<T>>();
  lists.forEach((list, listIndex) => {
    list.forEach(({ item, score }, index) => {
      let candidate = candidates.get(item.id);
      if (candidate === undefined) {
        candidate = { item, ranks: lists.map(() => null), scores: lists.map(() => null) };
        candidates.set(item.id, candidate);
      }
      if (candidate.ranks[listIndex] !== null) return;
      candidate.ranks[listIndex] = index + 1;
      candidate.scores[listIndex] = score;
    });
  });
  return [...candidates.values()];
}

function checkedWeights(count: number, weights: readonly number[] | undefined): readonly number[] {
  const checked = weights ?? new Array<number>(count).fill(1);
  if (checked.length !== count || checked.some((weight) => !(weight >= 0 && weight < Infinity))) {
    throw new RangeError('fusion needs one weight of 0 or more for each list');
  }
  return checked;
}

/**
 * Reciprocal rank fusion of lists that are ordered best first. The score is the sum of weight / (k + rank), divided by its
 * greatest possible value (first in every list), so it lies in 0..1; it says nothing about relevance. Items of lists with
 * weight 0 stay in the result.
 */
export function fuseByReciprocalRank<T extends Rankable>(
  lists: readonly (readonly Scored<T>[])[],
  options: { k?: number; weights?: readonly number[] } = {},
): Fused<T>[] {
  const k = options.k ?? DEFAULT_RRF_K;
  if (!(k >= 0 && k < Infinity)) throw new RangeError('k of reciprocal rank fusion must be 0 or more');
  const weights = checkedWeights(lists.length, options.weights);
  const greatest = weights.reduce((sum, weight) => sum + weight / (k + 1), 0);
  return gather(lists)
    .map(({ item, ranks }) => {
      const sum = ranks.reduce<number>(
        (total, rank, index) => (rank === null ? total : total + weights[index]! / (k + rank)),
        0,
      );
      return { item, ranks, score: greatest === 0 ? 0 : Math.min(1, sum / greatest) };
    })
    .sort(compareScored);
}

/** A list whose scores are to be scaled to 0..1. */
export interface Channel<T extends Rankable> {
  readonly results: readonly Scored<T>[];
  /** 0 or more. */
  readonly weight: number;
  /** The score that is scaled to 0 (default 0); an absent item counts as having it. */
  readonly floor?: number;
  /** The score that is scaled to 1. Default: the best of the list. */
  readonly ceiling?: number;
}

/**
 * The weighted mean of scaled scores, in 0..1. Give a `ceiling` that does not depend on the results (1 for a cosine, the
 * scorer's ceiling for keywords) where scores of different queries are compared with one threshold.
 */
export function fuseByWeightedSum<T extends Rankable>(channels: readonly Channel<T>[]): Fused<T>[] {
  const lists = channels.map(({ results }) => results);
  const weights = checkedWeights(
    channels.length,
    channels.map(({ weight }) => weight),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scales = channels.map(({ results, floor = 0, ceiling }) => {
    const top = ceiling ?? results.reduce((best, { score }) => Math.max(best, score), floor);
    return (score: number): number => (top > floor ? Math.min(1, Math.max(0, (score - floor) / (top - floor))) : 0);
  });
  return gather(lists)
    .map(({ item, ranks, scores }) => {
      const sum = scores.reduce<number>(
        (mean, score, index) => (score === null ? mean : mean + weights[index]! * scales[index]!(score)),
        0,
      );
      return { item, ranks, score: total === 0 ? 0 : Math.min(1, sum / total) };
    })
    .sort(compareScored);
}
