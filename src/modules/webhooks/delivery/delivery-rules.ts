/** The schedule of Standard Webhooks 1.0.0: pauses after the first attempt, which is made at once; ten attempts in all. */
const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const STANDARD_PAUSES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Maximum random extension of a pause, so that deliveries that failed together are not repeated together. */
const JITTER = 0.2;
/** Maximum pause that a receiver may request with `Retry-After`. */
const LONGEST_WAIT = 24 * HOUR;

/** Schedule and deadlines of deliveries; tests use shorter ones. */
export class DeliveryRules {
  constructor(
    /** Deadline of an attempt in milliseconds. */
    readonly deadlineMs: number,
    /** Pauses between attempts in seconds; there is one attempt more than pauses. */
    readonly pauses: readonly number[] = STANDARD_PAUSES,
    /** Number of seconds without any success after which an endpoint is disabled. */
    readonly givesUpAfterSeconds: number = 5 * 24 * HOUR,
  ) {}

  /**
   * Seconds until the next attempt after `tries` failed ones; null: it was the last. A longer pause that the receiver requests is
   * respected, up to a day.
   */
  pauseAfter(tries: number, waitSeconds: number | null = null): number | null {
    const pause = this.pauses[tries - 1];
    if (pause === undefined) return null;
    return Math.max(pause * (1 + Math.random() * JITTER), Math.min(waitSeconds ?? 0, LONGEST_WAIT));
  }
}
