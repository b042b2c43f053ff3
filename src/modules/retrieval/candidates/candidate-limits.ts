/**
 * Number of candidates requested of the store beyond those ranked, since its scores differ from the application's and some of its rows may be out
 * of date.
 */
const OVERFETCH = 2;
export const CANDIDATE_LIMIT_MAX = 10_000;

/** Number of candidates of each channel that are first requested of the store for a search that ranks `candidateK`. */
export function candidateLimit(candidateK: number): number {
  return Math.min(CANDIDATE_LIMIT_MAX, candidateK * OVERFETCH);
}
