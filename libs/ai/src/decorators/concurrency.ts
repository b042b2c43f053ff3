import type { ModelCaller, ModelCallOptions } from '../model-call.js';
import type { ModelGuard } from './model-guard.js';

/** The places of a model that all processes share. */
export abstract class ModelTurns {
  /**
   * Waits until it is the caller's turn to call the model; the returned function, called once, gives the place back.
   * Turns are fair between tenants, and of one tenant's calls those that a person waits for come first.
   * @throws the signal's reason after an abort; then nothing is held.
   */
  abstract take(model: string, caller: ModelCaller | undefined, signal: AbortSignal | undefined): Promise<() => void>;
}

/** Lets a bounded number of calls of a model run at once. A stream holds its place until it ends. */
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
