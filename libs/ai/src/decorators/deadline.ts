import type { ModelCallOptions } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import type { ModelGuard } from './model-guard.js';

export interface DeadlineOptions {
  /** Maximum time of a call with one answer, including the time in the queue and all tries. */
  readonly callMs: number;
  /** Maximum time until the next piece of a stream, also the first one. */
  readonly pieceMs: number;
}

/** Whose calls are guarded. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/**
 * Ends calls that take too long, even if the adapter ignores its signal.
 * @throws ModelFailure `timeout`; the caller's reason when the caller's signal was first.
 */
export class Deadline implements ModelGuard {
  constructor(
    private readonly name: ModelName,
    private readonly options: DeadlineOptions,
  ) {}

  call<T>(work: (options: ModelCallOptions) => Promise<T>, { signal }: ModelCallOptions): Promise<T> {
    return this.within(this.options.callMs, signal, (limited) => work({ signal: limited }));
  }

  async *stream<T>(
    open: (options: ModelCallOptions) => AsyncIterable<T>,
    { signal }: ModelCallOptions,
  ): AsyncGenerator<T> {
    // One signal for the whole stream: a piece that is late stops all of it.
    const stop = new AbortController();
    const whole = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
    const pieces = open({ signal: whole })[Symbol.asyncIterator]();
    let isOver = false;
    try {
      for (;;) {
        const next = await this.nextOf(pieces, whole, stop);
        if (next.done === true) {
          isOver = true;
          return;
        }
        yield next.value;
      }
    } catch (error) {
      stop.abort(error);
      throw error;
    } finally {
      // A source that is stuck in its piece would never answer; it has been told by the signal.
      if (!isOver) void Promise.resolve(pieces.return?.()).catch(() => undefined);
    }
  }

  /** Makes no signal of its own: one for each piece would stay with the signal of the stream for as long as that lives. */
  private async nextOf<T>(
    pieces: AsyncIterator<T>,
    whole: AbortSignal,
    stop: AbortController,
  ): Promise<IteratorResult<T>> {
    whole.throwIfAborted();
    const late = setTimeout(() => stop.abort(this.tooLate(this.options.pieceMs)), this.options.pieceMs);
    const aborted = Promise.withResolvers<never>();
    const stopWaiting = (): void => aborted.reject(whole.reason);
    whole.addEventListener('abort', stopWaiting, { once: true });
    try {
      return await Promise.race([pieces.next(), aborted.promise]);
    } catch (error) {
      // However the adapter tells of its signal, it is the reason that counts.
      if (whole.aborted) throw whole.reason;
      throw error;
    } finally {
      clearTimeout(late);
      whole.removeEventListener('abort', stopWaiting);
    }
  }

  private async within<T>(
    ms: number,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    outer?.throwIfAborted();
    const own = new AbortController();
    const timer = setTimeout(() => own.abort(this.tooLate(ms)), ms);
    const signal = outer === undefined ? own.signal : AbortSignal.any([outer, own.signal]);
    let stopWaiting: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stopWaiting = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stopWaiting, { once: true });
    });
    try {
      return await Promise.race([work(signal), aborted]);
    } catch (error) {
      // However the adapter tells of its signal, it is the reason that counts.
      if (signal.aborted) throw signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopWaiting);
    }
  }

  private tooLate(ms: number): ModelFailure {
    return new ModelFailure({ ...this.name, kind: 'timeout', words: `No answer within ${ms} ms.` });
  }
}
