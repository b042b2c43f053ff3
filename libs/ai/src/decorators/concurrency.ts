import type { ModelCaller, ModelCallOptions } from '../model-call.js';
import type { ModelGuard } from './model-guard.js';

/** The concurrent calls of a model, limited over all processes. */
export abstract class ModelTurns {
  /**
   * Waits for the caller's turn to call the model; the returned function must be called once to end it. Turns are fair between tenants, and of
   * one tenant's calls those that a person waits for come first.
   * @throws the signal's reason after an abort; then nothing is held.
   */
  abstract take(model: string, caller: ModelCaller | undefined, signal: AbortSignal | undefined): Promise<() => void>;
}

/** Limits the number of concurrent calls of a model. A stream counts until it ends. */
export class Concurrency implements ModelGuard {
  constructor(
    private readonly turns: ModelTurns,
    private readonly model: string,
  ) {}

  async call<T>(work: (options: ModelCallOptions) => Promise<T>, { signal, caller }: ModelCallOptions): Promise<T> {
    const giveBack = await this.turns.take(this.model, caller, signal);
    try {
      return await work({});
    } finally {
      giveBack();
    }
  }

  async *stream<T>(
    open: (options: ModelCallOptions) => AsyncIterable<T>,
    { signal, caller }: ModelCallOptions,
  ): AsyncGenerator<T> {
    const giveBack = await this.turns.take(this.model, caller, signal);
    try {
      yield* open({});
    } finally {
      giveBack();
    }
  }
}
