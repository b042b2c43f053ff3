import { ModelFailure, type ModelFailureFacts, type ModelFailureKind } from '../model-failure.js';

/** Facts for the failures of one remote model. */
export interface RemoteModel {
  readonly provider: string;
  readonly model: string;
  /** Keys that a provider's answer may echo. */
  readonly secrets: readonly string[];
  /** Milliseconds without data from the provider after which a request is stopped. */
  readonly silenceMs: number;
}

/** Converts an error of the SDK; undefined for other errors. */
export type ReadError = (error: unknown) => Omit<ModelFailureFacts, 'provider' | 'model' | 'secrets'> | undefined;

/**
 * One request to a provider, stopped by the caller's signal or after a silence. It fails with a `ModelFailure` or the reason of the caller's
 * signal.
 */
export class RemoteCall {
  private readonly controller = new AbortController();
  private isSilent = false;
  private readonly stop = (): void => this.controller.abort();

  constructor(
    private readonly at: RemoteModel,
    private readonly readError: ReadError,
    private readonly caller: AbortSignal | undefined,
  ) {
    caller?.throwIfAborted();
    caller?.addEventListener('abort', this.stop, { once: true });
  }

  /** What the SDK is to be given. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Awaits a promise of the SDK, and stops waiting on the signal even if the SDK ignores it. The time between two waits does not count, so a
   * caller may take its time with a received piece. @throws ModelFailure
   */
  async wait<T>(promised: PromiseLike<T>): Promise<T> {
    const { signal } = this.controller;
    const timer = setTimeout(() => {
      this.isSilent = true;
      this.stop();
    }, this.at.silenceMs);
    let stopped: () => void = () => undefined;
    const stopping = new Promise<never>((_, reject) => {
      stopped = (): void => reject(new Error('stopped'));
      signal.addEventListener('abort', stopped, { once: true });
      if (signal.aborted) stopped();
    });
    try {
      return await Promise.race([promised, stopping]);
    } catch (error) {
      throw this.failureOf(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      // Where both fail, one of them has no one left who waits for it.
      stopping.catch(() => undefined);
      Promise.resolve(promised).catch(() => undefined);
    }
  }

  /** Ends the request, whether its answer was read or not. */
  end(): void {
    this.caller?.removeEventListener('abort', this.stop);
    this.controller.abort();
  }

  /** What a caller is told of an error. */
  failureOf(error: unknown): unknown {
    if (this.caller?.aborted === true) return this.caller.reason;
    if (error instanceof ModelFailure) return error;
    if (this.isSilent)
      return this.failure({ kind: 'timeout', words: `no answer within ${this.at.silenceMs / 1_000} s` });
    const read = this.readError(error);
    if (read !== undefined) return this.failure(read);
    if (error instanceof SyntaxError) return this.failure({ kind: 'malformed', words: 'the answer is no JSON' });
    const cause = error instanceof Error ? error.cause : undefined;
    const words = [error, cause].map((one) => (one instanceof Error ? one.message : '')).filter((one) => one !== '');
    return this.failure({ kind: 'network', words: words.join(': ') });
  }

  failure(facts: Omit<ModelFailureFacts, 'provider' | 'model' | 'secrets'>): ModelFailure {
    const { provider, model, secrets } = this.at;
    return new ModelFailure({ ...facts, provider, model, secrets });
  }

  /** An answer that came and cannot be used. */
  malformed(words: string): ModelFailure {
    return this.failure({ kind: 'malformed', words });
  }
}

/** What a status of HTTP says about trying again. */
export function kindOfStatus(status: number): ModelFailureKind {
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'timeout';
  if (status === 409 || status >= 500) return 'unavailable';
  return status < 300 ? 'malformed' : 'rejected';
}

/** The longest wait that a provider is believed to ask for: callers are told it, and clients count with it. */
const LONGEST_RETRY_MS = 24 * 3_600_000;

/** `Retry-After` in milliseconds, a day at most, and OpenAI's `retry-after-ms`; null where neither is there or can be read. */
export function retryAfterOf(header: (name: string) => string | null | undefined, now: number): number | null {
  const asked = askedMs(header, now);
  return asked === null ? null : Math.min(LONGEST_RETRY_MS, Math.max(0, asked));
}

function askedMs(header: (name: string) => string | null | undefined, now: number): number | null {
  const exact = Number.parseFloat(header('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const said = header('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(said)) return Number(said) * 1_000;
  // A date begins with the name of its day; what else Date takes for one ("-5", "1e9") says nothing.
  const date = /^[a-z]/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? null : date - now;
}

/** What `read` gives; what it throws is an answer that cannot be used. */
export function usable<T>(call: RemoteCall, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw call.malformed(error instanceof Error ? error.message : String(error));
  }
}
