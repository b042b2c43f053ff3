import type { ShownSet } from '../rows/retrieval-rows.js';

/** Whether a document shows another chunk set than before the change `began`; the first one that it shows replaces nothing. */
export function isReplacedSince(shown: ShownSet | undefined, began: bigint): boolean {
  return shown !== undefined && shown.attempt > 1 && shown.changedAt > began;
}

/** Number of documents whose chunk set changed after `began`; the first one of a document counts, too. */
export function countArrivedSince(shown: Iterable<ShownSet>, began: bigint): number {
  let arrived = 0;
  for (const { changedAt } of shown) if (changedAt > began) arrived += 1;
  return arrived;
}
