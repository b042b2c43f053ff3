import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { TenantId } from '#libs/common';
import { HashingEmbedder } from '../builtin/hashing-embedder.js';
import type { Embedder } from '../embedder.port.js';
import type { ModelCallOptions, ModelUsage } from '../model-call.js';
import { ModelFailure, type ModelFailureKind } from '../model-failure.js';
import { ModelLedger, type PlannedCall, type ReservedCall } from '../model-ledger.port.js';
import type { ChatModel } from '../chat-model.port.js';
import { outputLimits } from '../remote/known-models.js';
import type { Reranker } from '../reranker.port.js';
import { decorateEmbedder, type ModelDecorators } from './decorate-models.js';
import { batchEmbedder } from './batching.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { Deadline } from './deadline.js';
import { guardEmbedder, replaceMethods } from './model-guard.js';
import { Retry } from './retry.js';
import { meterChatModel, meterEmbedder, meterReranker } from './usage.js';

const NAME = { provider: 'p', model: 'm' };
const USAGE: ModelUsage = { inputTokens: 3, outputTokens: 0, requests: 1, isEstimated: false };

function failure(kind: ModelFailureKind, retryAfterMs: number | null = null): ModelFailure {
  return new ModelFailure({ ...NAME, kind, retryAfterMs });
}

/** Fails so often, then answers with the number of the call. */
function failing(times: number, error: () => Error): { calls: number; work: () => Promise<number> } {
  const state = {
    calls: 0,
    work: async (): Promise<number> => {
      state.calls += 1;
      if (state.calls <= times) throw error();
      return state.calls;
    },
  };
  return state;
}

describe('retry', () => {
  const retry = new Retry({ retries: 2, longestPauseMs: 50, random: () => 0 });

  it('tries again what may succeed later, so often as it is told', async () => {
    const twice = failing(2, () => failure('unavailable'));
    await expect(retry.call(twice.work, {})).resolves.toBe(3);
    const always = failing(9, () => failure('network'));
    await expect(retry.call(always.work, {})).rejects.toMatchObject({ kind: 'network' });
    expect(always.calls).toBe(3);
  });

  it('does not try again what the provider refuses, nor what it wants to be left alone with for longer', async () => {
    const rejected = failing(1, () => failure('rejected'));
    await expect(retry.call(rejected.work, {})).rejects.toMatchObject({ kind: 'rejected' });
    const busy = failing(1, () => failure('rate_limited', 60_000));
    await expect(retry.call(busy.work, {})).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 60_000 });
    expect([rejected.calls, busy.calls]).toEqual([1, 1]);
  });

  it('waits for as long as Retry-After asks', async () => {
    const began = Date.now();
    const busy = failing(1, () => failure('rate_limited', 40));
    await expect(retry.call(busy.work, {})).resolves.toBe(2);
    expect(Date.now() - began).toBeGreaterThanOrEqual(38);
  });

  it('begins a stream again only while none of it has come', async () => {
    let opened = 0;
    const open = async function* (): AsyncGenerator<number> {
      opened += 1;
      if (opened === 1) throw failure('unavailable');
      yield opened;
      throw failure('network');
    };
    const got: number[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of retry.stream(open, {})) got.push(piece);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'network' });
    expect([got, opened]).toEqual([[2], 2]);
  });
});

describe('the circuit breaker', () => {
  it('asks nothing after this many calls without an answer, then lets one decide', async () => {
    const breaker = new CircuitBreaker(NAME, { failures: 2, openMs: 60 });
    const provider = failing(2, () => failure('unavailable'));
    for (let n = 0; n < 2; n += 1) await expect(breaker.call(provider.work, {})).rejects.toThrow(ModelFailure);
    const refused: unknown = await breaker.call(provider.work, {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'unavailable', provider: 'p' });
    expect((refused as ModelFailure).retryAfterMs).toBeGreaterThan(0);
    expect(provider.calls).toBe(2);
    await sleep(80); // until it is half open
    await expect(breaker.call(provider.work, {})).resolves.toBe(3);
  });

  it('asks again after its time although the system clock was set back meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const breaker = new CircuitBreaker(NAME, { failures: 1, openMs: 30_000 });
      const provider = failing(1, () => failure('unavailable'));
      await expect(breaker.call(provider.work, {})).rejects.toThrow(ModelFailure);
      vi.advanceTimersByTime(10_000);
      vi.setSystemTime(Date.now() - 7_200_000);
      await expect(breaker.call(provider.work, {})).rejects.toMatchObject({ retryAfterMs: 20_000 });
      vi.advanceTimersByTime(22_000);
      await expect(breaker.call(provider.work, {})).resolves.toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not opened by refusals', async () => {
    const breaker = new CircuitBreaker(NAME, { failures: 1, openMs: 60_000 });
    for (const kind of ['rate_limited', 'rejected'] as const) {
      await expect(breaker.call(() => Promise.reject(failure(kind)), {})).rejects.toMatchObject({ kind });
    }
    await expect(breaker.call(async () => 'asked', {})).resolves.toBe('asked');
  });
});

describe('the deadline', () => {
  const deadline = new Deadline(NAME, { callMs: 20, pieceMs: 20 });
  const never = (): Promise<never> => new Promise(() => undefined);

  it('ends a call whose adapter does not look at its signal', async () => {
    await expect(deadline.call(never, {})).rejects.toMatchObject({ kind: 'timeout', isTransient: true });
  });

  it('leaves the reason of the caller as it is', async () => {
    const reason = new Error('gone');
    await expect(deadline.call(never, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const call = deadline.call(never, { signal: stop.signal });
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('ends a stream whose next piece does not come, and tells its source', async () => {
    let told: unknown;
    const open = async function* ({ signal }: ModelCallOptions): AsyncGenerator<number> {
      signal!.addEventListener('abort', () => (told = signal!.reason));
      yield 1;
      await never();
    };
    const got: number[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of deadline.stream(open, {})) got.push(piece);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'timeout' });
    expect([got, told]).toEqual([[1], expect.objectContaining({ kind: 'timeout' })]);
  });

  it('makes one signal for a stream, however many pieces come: each would stay for as long as the stream', async () => {
    const made = vi.spyOn(AbortSignal, 'any');
    async function* many(): AsyncGenerator<number> {
      for (let piece = 0; piece < 100; piece += 1) yield piece;
    }
    const read: number[] = [];
    for await (const piece of deadline.stream(() => many(), { signal: new AbortController().signal })) read.push(piece);
    expect(read).toHaveLength(100);
    expect(made.mock.calls).toHaveLength(1);
    made.mockRestore();
  });

  it('gives what comes in time', async () => {
    await expect(deadline.call(async () => 7, {})).resolves.toBe(7);
  });
});

describe('batching', () => {
  it('divides texts by the provider’s limit on tokens, keeps their order and sums up their usage', async () => {
    const calls: number[] = [];
    const inner = new HashingEmbedder();
    const limited = replaceMethods<Embedder>(inner, {
      descriptor: { ...inner.descriptor, maxBatchTokens: 6 },
      embed: async (texts, purpose) => {
        calls.push(texts.length);
        return { ...(await inner.embed(texts, purpose)), usage: USAGE };
      },
    });
    const texts = ['one two three', 'four five six', 'seven', 'a text that is longer than what one request may hold'];
    const { vectors, usage } = await batchEmbedder(limited).embed(texts, 'document');
    expect(calls.reduce((sum, n) => sum + n, 0)).toBe(4);
    expect(calls.length).toBeGreaterThan(1);
    expect(vectors).toEqual((await inner.embed(texts, 'document')).vectors);
    expect(usage).toEqual({ ...USAGE, inputTokens: 3 * calls.length, requests: calls.length });
  });
});

describe('the ledger', () => {
  class NotedLedger extends ModelLedger {
    readonly notes: string[] = [];
    async reserve({ estimate }: PlannedCall): Promise<ReservedCall> {
      this.notes.push(`reserved ${estimate.inputTokens >= 3}`);
      return {
        settle: async ({ inputTokens }) => void this.notes.push(`settled ${inputTokens}`),
        release: async () => void this.notes.push('released'),
      };
    }
  }
  const caller = { tenantId: 't' as TenantId, datasetIds: [], purpose: 'search' } as const;
  const inner = new HashingEmbedder();

  it('sets aside an upper estimate and settles by what the provider says; a failure frees it', async () => {
    const ledger = new NotedLedger();
    const embedder = replaceMethods<Embedder>(inner, {
      embed: async (texts) => {
        if (texts[0] === 'bad') throw failure('network');
        return { vectors: [], usage: USAGE };
      },
    });
    const metered = meterEmbedder(embedder, ledger);
    await metered.embed(['some text'], 'query', { caller });
    await expect(metered.embed(['bad'], 'query', { caller })).rejects.toThrow(ModelFailure);
    await metered.embed(['nobody pays'], 'query');
    expect(ledger.notes).toEqual(['reserved true', 'settled 3', 'reserved true', 'released']);
  });

  it('counts the batches of a call that were answered before one failed', async () => {
    const ledger = new NotedLedger();
    let calls = 0;
    const limited = replaceMethods<Embedder>(inner, {
      descriptor: { ...inner.descriptor, maxBatchTokens: 6 },
      embed: async (texts, purpose) => {
        calls += 1;
        if (calls === 3) throw failure('unavailable');
        return { ...(await inner.embed(texts, purpose)), usage: USAGE };
      },
    });
    const decorators = {
      limits: { callMs: 1_000, pieceMs: 1_000, retries: 0, longestPauseMs: 1, failures: 9, openMs: 1 },
      turns: { take: async () => () => undefined },
      ledger,
      cache: null,
    } as unknown as ModelDecorators;
    const embedder = decorateEmbedder(limited, true, decorators);
    const texts = ['one two three', 'four five six', 'seven eight nine'];
    await expect(embedder.embed(texts, 'document', { caller })).rejects.toThrow(ModelFailure);
    expect(ledger.notes.join()).toBe('reserved true,settled 3,reserved true,settled 3,reserved true,released');
  });

  it('counts what a reranker took before it failed', async () => {
    const ledger = new NotedLedger();
    const spent = { ...USAGE, inputTokens: 7 };
    const rerank: Reranker['rerank'] = () => Promise.reject(failure('network').having(spent));
    const metered = meterReranker({ descriptor: { provider: 'p', model: 'm' }, rerank } as unknown as Reranker, ledger);
    await expect(metered.rerank('q', [{ id: '1', text: 'a' }], { caller })).rejects.toThrow(ModelFailure);
    expect(ledger.notes).toEqual(['reserved true', 'settled 7']);
  });

  it('sets aside a usual answer, not the longest that a model may give, where no one says how long it may be', async () => {
    const outputs: number[] = [];
    const ledger = new NotedLedger();
    ledger.reserve = async ({ estimate }) => {
      outputs.push(estimate.outputTokens);
      return { settle: async () => undefined, release: async () => undefined };
    };
    for (const [set, maxTokens] of [
      [0, undefined],
      [0, 9_000],
      [50_000, undefined],
      [500, 9_000],
    ] as const) {
      const descriptor = { provider: 'p', model: 'm', ...outputLimits(set, { maxOutputTokens: 128_000 }) };
      const stream: ChatModel['stream'] = async function* () {};
      const metered = meterChatModel({ descriptor, stream } as unknown as ChatModel, ledger);
      const request = { messages: [], sources: [], question: 'q', ...(maxTokens === undefined ? {} : { maxTokens }) };
      for await (const _ of metered.stream(request, { caller }));
    }
    expect(outputs).toEqual([4_096, 9_000, 50_000, 500]);
  });

  it('keeps the caller through the guards', async () => {
    const seen: unknown[] = [];
    const embedder = replaceMethods<Embedder>(inner, {
      embed: async (_texts, _purpose, options) => {
        seen.push(options?.caller);
        return { vectors: [], usage: USAGE };
      },
    });
    const guarded = guardEmbedder(embedder, new Deadline(NAME, { callMs: 1_000, pieceMs: 1_000 }));
    await guarded.embed(['x'], 'query', { caller });
    expect(seen).toEqual([caller]);
  });
});
