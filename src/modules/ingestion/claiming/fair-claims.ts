import { delay } from '#libs/common';
import type { ClaimedTask } from './ingestion-tasks.repository.js';
import { BATCHED_BYTES } from './claim-statement.repository.js';

/** Pause between two claims of small documents, in which others can arrive for the same run. */
const PAUSE_MS = 200;
/** Pauses before a claim is repeated because another transaction had locked its tasks: doubled from the first to the longest. */
const FIRST_HELD_MS = 2;
const LONGEST_HELD_MS = 100;
/** Maximum number of documents of one claim; a full claim means that more are waiting. */
export const MOST_TOGETHER = 32;

/**
 * The claims of a worker, one after another, so that each sees what the previous one took. A claim that finds nothing answers all calls
 * made before it.
 */
export class FairClaims {
  private readonly asking: ((tasks: readonly ClaimedTask[]) => void)[] = [];
  private readonly failing: ((error: unknown) => void)[] = [];
  private answering = false;
  /** By `performance.now()`. */
  private nextAt = 0;
  private emptyAt = 0;
  /** Number of consecutive claims whose tasks another transaction had locked. */
  private held = 0;

  constructor(
    /** Null when another transaction has locked the next tasks at this moment. */
    private readonly claim: () => Promise<ClaimedTask[] | null>,
    private readonly pauseMs = PAUSE_MS,
    private readonly fullAt = MOST_TOGETHER,
  ) {}

  /** Time at which the last empty claim began, by `Date.now()`; 0: never, or the clock has been set back since. */
  get lastEmptyAt(): number {
    return this.emptyAt > Date.now() ? 0 : this.emptyAt;
  }

  /** The next tasks; empty when none may be taken now. */
  next(): Promise<readonly ClaimedTask[]> {
    const answer = new Promise<readonly ClaimedTask[]>((resolve, reject) => {
      this.asking.push(resolve);
      this.failing.push(reject);
    });
    if (!this.answering) void this.answerAll();
    return answer;
  }

  private async answerAll(): Promise<void> {
    this.answering = true;
    while (this.asking.length > 0) {
      const pause = this.nextAt - performance.now();
      // Also without a pause: calls made at the same moment are answered together.
      await delay(Math.max(0, pause));
      const asking = this.asking.length;
      const began = { at: Date.now(), ms: performance.now() };
      try {
        const tasks = await this.claim();
        if (tasks === null) {
          this.nextAt = performance.now() + Math.min(LONGEST_HELD_MS, FIRST_HELD_MS * 2 ** this.held);
          this.held += 1;
          continue;
        }
        this.held = 0;
        const isSmall = tasks.length > 0 && tasks.every((task) => task.sizeBytes <= BATCHED_BYTES);
        this.nextAt = isSmall && tasks.length < this.fullAt ? began.ms + this.pauseMs : 0;
        if (tasks.length === 0) this.emptyAt = began.at;
        this.answer(tasks.length === 0 ? asking : 1, (n) => this.asking[n]!(tasks));
      } catch (error) {
        this.answer(asking, (n) => this.failing[n]!(error));
      }
    }
    this.answering = false;
  }

  private answer(count: number, tell: (n: number) => void): void {
    for (let n = 0; n < count; n++) tell(n);
    this.asking.splice(0, count);
    this.failing.splice(0, count);
  }
}
