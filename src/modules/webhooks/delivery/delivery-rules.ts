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
/** By how much a pause is prolonged at most, so that what failed together is not tried together. */
const JITTER = 0.2;
/** How long a receiver may ask to be left alone. */
const LONGEST_WAIT = 24 * HOUR;

/** How deliveries are tried; a test has shorter ones. */
export class DeliveryRules {
  constructor(
    /** In how many milliseconds an attempt must have been answered. */
    readonly deadlineMs: number,
    /** Seconds between attempts; one attempt more than pauses. */
    readonly pauses: readonly number[] = STANDARD_PAUSES,
    /** After how many seconds without any success an endpoint is switched off. */
    readonly givesUpAfterSeconds: number = 5 * 24 * HOUR,
  ) {}

  /** Seconds until the next attempt after `tries` failed ones; null: that was the last. Not before the receiver's own wish, within a day. */
  pauseAfter(tries: number, waitSeconds: number | null = null): number | null {
    const pause = this.pauses[tries - 1];
    if (pause === undefined) return null;
    return Math.max(pause * (1 + Math.random() * JITTER), Math.min(waitSeconds ?? 0, LONGEST_WAIT));
  }
}
