import { delay } from './bounded.js';
import type { Steps } from './steps.js';

/** How long one turn of a computation may hold the thread, in milliseconds. */
const TURN_MS = 2;
/** A pause is this many times as long as the piece of work before it: three quarters of the time belong to others. */
const PAUSE_SHARE = 3;
/** Longest pause after one piece of work. */
const MOST_PAUSE_MS = 300;

/** Paces background work of this process, so that requests of people come first: after each piece it pauses three times as long as that took. */
export class LowPriority {
  /** Pauses after a piece of work that took this many milliseconds. */
  async pause(tookMs: number, signal?: AbortSignal): Promise<void> {
    await delay(Math.min(MOST_PAUSE_MS, PAUSE_SHARE * tookMs), signal);
  }

  /** Does a computation in turns of a few milliseconds, with a pause after each. */
  async inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
    for (let began = performance.now(); ;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      const took = performance.now() - began;
      if (took < TURN_MS) continue;
      await this.pause(took, signal);
      began = performance.now();
    }
  }
}
