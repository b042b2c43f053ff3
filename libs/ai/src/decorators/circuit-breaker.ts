import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import type { ModelCallOptions } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import type { ModelName } from './deadline.js';
import { StartGuard } from './model-guard.js';

export interface CircuitBreakerOptions {
  /** Failures in a row after which nothing is asked any more. */
  readonly failures: number;
  /** For how long; then one call is let through, and decides. */
  readonly openMs: number;
}

/**
 * Leaves a provider alone that does not answer. What it refuses (429 included) is an answer: it opens nothing.
 * @throws ModelFailure `unavailable` with the time that is left, without a call.
 */
export class CircuitBreaker extends StartGuard {
  private readonly policy: CircuitBreakerPolicy;
  private openedAt = 0;

  constructor(
    private readonly name: ModelName,
    private readonly options: CircuitBreakerOptions,
  ) {
    super();
    this.policy = circuitBreaker(handleWhen(isNoAnswer), {
      halfOpenAfter: options.openMs,
      breaker: new ConsecutiveBreaker(options.failures),
    });
    this.policy.onBreak(() => {
      this.openedAt = performance.now();
    });
  }

  async call<T>(work: (options: ModelCallOptions) => Promise<T>, { signal }: ModelCallOptions): Promise<T> {
    try {
      return await this.policy.execute(() => work(signal === undefined ? {} : { signal }));
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const retryAfterMs = Math.max(1, Math.ceil(this.openedAt + this.options.openMs - performance.now()));
      const words = 'The provider has not answered several times in a row and is left alone for a while.';
      throw new ModelFailure({ ...this.name, kind: 'unavailable', retryAfterMs, words });
    }
  }
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof ModelFailure && error.isTransient && error.kind !== 'rate_limited';
}
