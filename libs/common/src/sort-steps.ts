import type { Steps } from './steps.js';

/** Sorted at once; longer lists are merged of such pieces. */
const PIECE = 512;

/** The same order as `toSorted`, with pauses: equal items keep theirs. */
export function* sortSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let pieces: T[][] = [];
  for (let from = 0; from < items.length; from += PIECE) {
    pieces.push(items.slice(from, from + PIECE).sort(compare));
    yield;
  }
  while (pieces.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < pieces.length; at += 2)
      merged.push(at + 1 < pieces.length ? yield* merge(pieces[at]!, pieces[at + 1]!, compare) : pieces[at]!);
    pieces = merged;
  }
  return pieces[0] ?? [];
}

function* merge<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let [first, second] = [0, 0];
  while (first < one.length || second < other.length) {
    const isFirst = second >= other.length || (first < one.length && compare(one[first]!, other[second]!) <= 0);
    merged.push(isFirst ? one[first++]! : other[second++]!);
    if (merged.length % PIECE === 0) yield;
  }
  return merged;
}
