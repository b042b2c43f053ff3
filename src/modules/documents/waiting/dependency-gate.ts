import { pauseAfter, STORAGE_LOW } from '#libs/common';
import type { Wait } from '../record/attempt.js';
import { budgetWaitOf, laterErrorOf, Postponed } from './backoff.js';

/**
 * Limits calls of a dependency that may be busy or unavailable: at most `limit` calls run at once, and after a failure that means "later"
 * no call is made for a while, so that thousands of waiting documents do not each try it.
 */
export class DependencyGate {
  private running = 0;
  private failures = 0;
  private closedUntil = 0;
  private last: { readonly code: string; readonly reason: Postponed['reason'] };
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly reason: Exclude<Wait['reason'], 'retry_backoff'>,
    private readonly limit: number = Infinity,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.last = { code: '', reason };
  }

  /** Runs `call`, or throws `Postponed` while the gate is closed. Other errors are passed on. */
  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter();
    try {
      signal?.throwIfAborted();
      const left = this.closedUntil - this.now();
      if (left > 0) throw new Postponed(this.last.reason, this.last.code, left);
      const result = await call();
      this.failures = 0;
      return result;
    } catch (error) {
      // A budget that is used up does not close the gate, because other tenants are not affected.
      const budget = budgetWaitOf(error);
      if (budget !== undefined) throw budget;
      const later = laterErrorOf(error);
      throw later === undefined ? error : this.close(later, error);
    } finally {
      this.leave();
    }
  }

  private close(error: { readonly code: string; readonly retryAfter: number | undefined }, cause: unknown): Postponed {
    // Calls that fail at the same time count as one failure.
    if (this.closedUntil <= this.now()) this.failures += 1;
    const ms = pauseAfter(this.failures, error.retryAfter);
    this.closedUntil = Math.max(this.closedUntil, this.now() + ms);
    // A full server still answers, except for writes; documents that wait for it get the reason `storage_low`.
    this.last = { code: error.code, reason: error.code === STORAGE_LOW ? 'storage_low' : this.reason };
    return new Postponed(this.last.reason, error.code, ms, cause);
  }

  private async enter(): Promise<void> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
  }

  /** Passes the place on to the next waiting call, or frees it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
