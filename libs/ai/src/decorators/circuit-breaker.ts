import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import type { ModelCallOptions } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import type { ModelName } from './deadline.js';
import { StartGuard } from './model-guard.js';

/** How much later than the library's own look a circuit that is still open has outlived its time for certain. */
const SURELY_OVER_MS = 1_000;

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
  private policy: CircuitBreakerPolicy;
  /** By `performance.now()`. */
  private openedAt = 0;

  constructor(
    private readonly name: ModelName,
    private readonly options: CircuitBreakerOptions,
  ) {
    super();
    this.policy = this.closedPolicy();
  }

  async call<T>(work: (options: ModelCallOptions) => Promise<T>, { signal }: ModelCallOptions): Promise<T> {
    if (this.isOverdue) this.policy = this.closedPolicy();
    try {
      return await this.policy.execute(() => work(signal === undefined ? {} : { signal }));
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const retryAfterMs = Math.max(1, Math.ceil(this.openedAt + this.options.openMs - performance.now()));
      const words = 'The provider has not answered several times in a row and is left alone for a while.';
      throw new ModelFailure({ ...this.name, kind: 'unavailable', retryAfterMs, words });
    }
  }

  /** The library measures by the system clock: set back by an hour, it would keep the circuit open for an hour more. */
  private get isOverdue(): boolean {
    const openMs = performance.now() - this.openedAt;
    return this.policy.state === CircuitState.Open && openMs > this.options.openMs + SURELY_OVER_MS;
  }

  private closedPolicy(): CircuitBreakerPolicy {
    const { failures, openMs } = this.options;
    const policy = circuitBreaker(handleWhen(isNoAnswer), {
      halfOpenAfter: openMs,
      breaker: new ConsecutiveBreaker(failures),
    });
    policy.onBreak(() => {
      this.openedAt = performance.now();
    });
    return policy;
  }
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof ModelFailure && error.isTransient && error.kind !== 'rate_limited';
}
