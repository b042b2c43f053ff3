/**
 * Is one version slower than another? Ratios of pairs that were measured right after one another, their median, and the interval that
 * holds the true median in at least 95 of 100 such runs. Nothing is drawn by chance and no distribution is assumed: the interval goes
 * from the k-th smallest to the k-th greatest ratio. The true median lies outside when fewer than k of n ratios fall on one side of
 * it, and each falls on either side with the probability 1/2, so that 2 · P(Binomial(n, 1/2) < k) must be at most 0.05.
 */

/** Fewer pairs say too little. */
export const MIN_PAIRS = 10;
/** A version is slower when even the lower end of the interval is above this. */
export const SLOWER_ABOVE = 1.05;
const CONFIDENCE = 0.95;

export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Both sides of a pair in the order in which they are measured: A B B A A B …, so that a drift of the machine meets both alike. */
export function orderOfPair(pair: number): readonly ['theirs', 'ours'] | readonly ['ours', 'theirs'] {
  return pair % 2 === 0 ? ['theirs', 'ours'] : ['ours', 'theirs'];
}

/** @throws RangeError for fewer than `MIN_PAIRS` ratios, or one that is not above 0 */
export function medianInterval(ratios: readonly number[]): MedianInterval {
  if (ratios.length < MIN_PAIRS) throw new RangeError(`${ratios.length} pairs are too few: at least ${MIN_PAIRS}.`);
  if (ratios.some((ratio) => !(ratio > 0 && ratio < Infinity))) throw new RangeError('A ratio is not above 0.');
  const sorted = ratios.toSorted((a, b) => a - b);
  const rank = rankOfInterval(sorted.length);
  return { median: medianOf(sorted), low: sorted[rank - 1]!, high: sorted[sorted.length - rank]! };
}

/** The greatest k for which the k-th smallest to the k-th greatest of `count` values hold their median with the confidence. */
export function rankOfInterval(count: number): number {
  let rank = 0;
  let term = 0.5 ** count;
  for (let below = term; 1 - 2 * below >= CONFIDENCE; below += term) {
    rank += 1;
    term *= (count - rank + 1) / rank;
  }
  return rank;
}

export function isSlower({ low }: MedianInterval): boolean {
  return low > SLOWER_ABOVE;
}

/** Of numbers in ascending order. */
export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
