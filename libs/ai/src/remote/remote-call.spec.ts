import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatDelta } from '../chat-model.port.js';
import { ANSWERABLE_REQUEST } from '../testing/describe-chat-model.js';
import { keyProblems } from './address-problems.js';
import { chatDeltas, endOf, type RemotePiece } from './remote-chat.js';
import { RemoteCall, retryAfterOf } from './remote-call.js';
import { RemoteEmbedder } from './remote-embedder.js';

const AT = { provider: 'p', model: 'm', secrets: [], silenceMs: 1_000 };
const open = (): RemoteCall => new RemoteCall(AT, () => undefined, undefined);

describe('a request to a provider', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is given up after a silence of the provider', async () => {
    const waiting = open().wait(new Promise(() => undefined));
    const refused = expect(waiting).rejects.toMatchObject({ kind: 'timeout' });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
  });

  it('is not given up while its caller takes its time with what has come', async () => {
    const call = open();
    await call.wait(Promise.resolve('first'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(call.signal.aborted).toBe(false);
    await expect(call.wait(Promise.resolve('second'))).resolves.toBe('second');
  });
});

describe('figures of usage that cannot be counted', () => {
  const odd = [12.5, -1, NaN, null, undefined, '7'] as unknown as number[];

  it.each(odd)('(%s) are replaced by an estimate for vectors', async (inputTokens) => {
    const send = async () => ({ vectors: [[1, 0]], inputTokens });
    const prefixes = { document: '', query: '' };
    const options = { dimensions: 2, sendsDimensions: 'auto', batchSize: 8, maxTokens: 0, prefixes } as const;
    const embedder = await RemoteEmbedder.open(AT, { readError: () => undefined, send }, options);
    const { usage } = await embedder.embed(['one text'], 'document');
    expect(usage).toMatchObject({ isEstimated: true, requests: 1, inputTokens: expect.any(Number) as number });
    expect(usage.inputTokens).toBeGreaterThan(0);
  });

  it.each(odd)('(%s) are replaced by an estimate for an answer', async (input) => {
    const pieces = async function* (): AsyncGenerator<RemotePiece> {
      yield { text: 'A word.' };
      yield { end: 'stop', usage: { input, output: 3 } };
    };
    let last: ChatDelta | undefined;
    for await (const delta of chatDeltas(open(), ANSWERABLE_REQUEST, pieces(), 1_000)) last = delta;
    expect(last).toMatchObject({ kind: 'finish', usage: { isEstimated: true } });
  });
});

describe('the answer of a chat', () => {
  const deltasOf = async (pieces: AsyncIterable<RemotePiece>, mostTokens = 1_000): Promise<ChatDelta[]> => {
    const deltas: ChatDelta[] = [];
    for await (const delta of chatDeltas(open(), ANSWERABLE_REQUEST, pieces, mostTokens)) deltas.push(delta);
    return deltas;
  };

  it('is unusable where its content is no text', async () => {
    for (const content of [{ a: 1 }, 5, ['a']]) {
      const pieces = async function* (): AsyncGenerator<RemotePiece> {
        yield { text: content as unknown as string, end: 'stop' };
      };
      await expect(deltasOf(pieces())).rejects.toMatchObject({ kind: 'malformed' });
    }
  });

  it('that goes on without end is ended as one that was too long, and is read no further', async () => {
    const endless = async function* (): AsyncGenerator<RemotePiece> {
      for (;;) yield { text: 'and so on ' };
    };
    const deltas = await deltasOf(endless(), 10);
    expect(deltas.at(-1)).toMatchObject({ kind: 'finish', finishReason: 'length' });
    expect(deltas.length).toBeLessThan(40);
  });

  it.each(['__proto__', 'constructor', 'unheard_of'])('ends where a reason is not known: %s', (reason) => {
    expect(endOf({ length: 'length' }, reason)).toBe('stop');
  });
});

describe('a key', () => {
  it.each(['sk-1…2', 'sk-1\nsk-2', 'sk-“1”', 'sk-1\u0000'])(
    'that cannot be sent is a problem of the setting: %j',
    (key) => {
      const [problem] = keyProblems('OPENAI_API_KEY', key);
      expect(problem).toMatch(/^OPENAI_API_KEY: /);
      expect(problem).not.toContain(key);
    },
  );

  it.each([undefined, 'sk-1', 'a b\tc', 'schlüssel'])('that can be sent is none: %j', (key) => {
    expect(keyProblems('OPENAI_API_KEY', key)).toEqual([]);
  });
});

describe('how long a provider asks to wait', () => {
  const now = Date.UTC(2026, 0, 1);
  const wait = (said: string, name = 'retry-after'): number | null =>
    retryAfterOf((asked) => (asked === name ? said : null), now);

  it.each([
    ['7', 7_000],
    ['1.5', 1_500],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    // A day at most.
    ['99999999999999999999', 86_400_000],
    ['Wed, 21 Oct 2099 07:28:00 GMT', 86_400_000],
    ['-5', null],
    ['1e9', null],
    ['soon', null],
    ['', null],
  ])('is read: %s', (said, ms) => {
    expect(wait(said)).toBe(ms);
  });

  it.each([
    ['250', 250],
    ['Infinity', 86_400_000],
    ['-1', null],
  ])('is read in milliseconds: %s', (said, ms) => {
    expect(wait(said, 'retry-after-ms')).toBe(ms);
  });
});
