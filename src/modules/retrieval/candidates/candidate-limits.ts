/** Asked of the store beyond what is ranked: its scores are not the application's, and some of its rows may be out of date. */
const OVERFETCH = 2;
export const CANDIDATE_LIMIT_MAX = 10_000;

/** How many candidates of each channel the store is asked for at first, for a search that ranks `candidateK` of them. */
export function candidateLimit(candidateK: number): number {
  return Math.min(CANDIDATE_LIMIT_MAX, candidateK * OVERFETCH);
}
