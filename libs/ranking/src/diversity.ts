import { compareScored } from './fusion.js';
import type { Rankable, Scored } from './fusion.js';

/** How results are chosen that do not repeat each other. */
export interface DiversityOptions<T extends Rankable> {
  /** 1 keeps the order by score, 0 looks at the difference alone. */
  readonly lambda: number;
  /** 0 (nothing in common) to 1 (the same); symmetric. */
  readonly similarity: (a: T, b: T) => number;
  /** Most results. */
  readonly limit: number;
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): takes, one after the other, the item with the greatest
 * lambda * score - (1 - lambda) * similarity to the nearest one taken. Scores are expected in 0..1 and are kept. What is
 * taken for a limit n is a prefix of what is taken for n + 1; ties fall as in `compareScored`.
 */
export function maximalMarginalRelevance<T extends Rankable, S extends Scored<T>>(
  items: readonly S[],
  options: DiversityOptions<T>,
): S[] {
  const { lambda, similarity, limit } = options;
  if (!(lambda >= 0 && lambda <= 1)) throw new RangeError('lambda must lie in 0..1');
  const waiting = items.toSorted(compareScored).map((entry) => ({ entry, nearest: 0 }));
  const taken: S[] = [];
  while (taken.length < limit && waiting.length > 0) {
    let best = 0;
    let bestGain = -Infinity;
    waiting.forEach(({ entry, nearest }, index) => {
      const gain = lambda * entry.score - (1 - lambda) * nearest;
      if (gain > bestGain) {
        bestGain = gain;
        best = index;
      }
    });
    const [chosen] = waiting.splice(best, 1);
    taken.push(chosen!.entry);
    for (const other of waiting)
      other.nearest = Math.max(other.nearest, similarity(chosen!.entry.item, other.entry.item));
  }
  return taken;
}
