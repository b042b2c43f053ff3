import type { ShownSet } from '../rows/retrieval-rows.js';

/** Whether a document shows another chunk set than before the change `began`; the first one that it shows replaces nothing. */
export function isReplacedSince(shown: ShownSet | undefined, began: bigint): boolean {
  return shown !== undefined && shown.attempt > 1 && shown.changedAt > began;
}
