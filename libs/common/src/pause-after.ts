const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Part by which pauses are spread. */
const JITTER = 0.25;

/**
 * The pause after the `failures`-th failure in a row (from 1), in milliseconds: doubled each time from one second, spread by a
 * quarter so that not all come back at once, at least what the dependency asked for, at most a minute.
 */
export function pauseAfter(failures: number, retryAfterSeconds = 0, random: () => number = Math.random): number {
  const doubled = FIRST_MS * 2 ** Math.min(failures - 1, 10);
  const spread = doubled * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.min(LONGEST_MS, Math.max(spread, retryAfterSeconds * 1000)));
}
