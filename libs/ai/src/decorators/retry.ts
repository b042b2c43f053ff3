import { DelegateBackoff, handleWhen, retry, type IRetryBackoffContext } from 'cockatiel';
import type { ModelCallOptions } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import { StartGuard } from './model-guard.js';

export interface RetryOptions {
  /** Tries after the first one. */
  readonly retries: number;
  /** Maximum pause between two tries, in milliseconds. When a provider asks for a longer one, its failure is thrown at once. */
  readonly longestPauseMs: number;
  readonly random?: () => number;
}

/** Before the second try; doubled each time. */
const FIRST_PAUSE_MS = 250;

/**
 * Repeats calls that may succeed later, after the time of `Retry-After` plus a random part of a growing pause, so that callers that failed
 * together do not return together. A stream is repeated only while no piece of it has come.
 */
export class Retry extends StartGuard {
  constructor(private readonly options: RetryOptions) {
    super();
  }

  async call<T>(work: (options: ModelCallOptions) => Promise<T>, { signal }: ModelCallOptions): Promise<T> {
    const { retries, longestPauseMs } = this.options;
    const policy = retry(
      handleWhen(
        (error) => error instanceof ModelFailure && error.isTransient && (error.retryAfterMs ?? 0) <= longestPauseMs,
      ),
      { maxAttempts: retries, backoff: new DelegateBackoff(this.pauseBefore) },
    );
    const passedOn = signal === undefined ? {} : { signal };
    return policy.execute(async () => {
      signal?.throwIfAborted();
      return work(passedOn);
    }, signal);
  }

  private readonly pauseBefore = ({ attempt, result }: IRetryBackoffContext<unknown>): number => {
    const { longestPauseMs, random = Math.random } = this.options;
    const failure = 'error' in result ? result.error : undefined;
    const asked = failure instanceof ModelFailure ? (failure.retryAfterMs ?? 0) : 0;
    const grown = Math.min(longestPauseMs, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    return Math.min(longestPauseMs, asked + Math.round(grown * random()));
  };
}
