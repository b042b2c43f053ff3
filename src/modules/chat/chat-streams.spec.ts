import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aiErrors } from '#libs/ai';
import { toCatalogueError, toProblem, type SseEvent } from '#libs/http';
import type { StreamReader } from './chat-streams.js';
import { STREAM_KEPT_MS } from './stream-buffer.js';
import { ChatFixture, chunksOf, collect, contextOf, fragments, requestOf, textOf } from './testing/chat-fakes.js';

const CTX = contextOf('a1');
const WAIT = { wait: true } as const;
const BEFORE = 'The pump is serviced';
const AFTER = ' every 500 hours. [1]';

function readerUntil(signal: AbortSignal = new AbortController().signal): StreamReader {
  return {
    signal,
    describe: (thrown) => {
      const error = toCatalogueError(thrown, { url: '/api/v1/chat/completions', method: 'POST' } as never);
      return { error, problem: toProblem(error, '/api/v1/chat/completions', 'r') };
    },
  };
}

describe('a streamed answer', () => {
  let chat: ChatFixture;
  beforeEach(() => {
    chat = new ChatFixture();
    chat.model.script = [BEFORE, WAIT, AFTER];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = (signal?: AbortSignal, ctx = CTX): Promise<AsyncIterable<SseEvent>> =>
    chat.service.stream(ctx, requestOf({ stream: true }), undefined, readerUntil(signal));
  const resume = (lastEventId: string, ctx = CTX, signal?: AbortSignal): Promise<AsyncIterable<SseEvent>> =>
    chat.service.stream(ctx, requestOf({ stream: true }), lastEventId, readerUntil(signal));

  /** The events up to the text before the pause, read by a reader who then leaves. */
  async function leaveInTheMiddle(): Promise<SseEvent[]> {
    const controller = new AbortController();
    const events = (await open(controller.signal))[Symbol.asyncIterator]();
    const read = [(await events.next()).value as SseEvent, (await events.next()).value as SseEvent];
    controller.abort();
    expect(await events.next()).toMatchObject({ done: true });
    return read;
  }

  async function complete(): Promise<SseEvent[]> {
    chat.model.script = [BEFORE, AFTER];
    return collect(await open());
  }

  it('is an error event with the problem body when the model fails after the first byte, and has no end mark', async () => {
    chat.model.script = [BEFORE, aiErrors.provider_unavailable({ provider: 'x', model: 'y' })];
    const events = await collect(await open());
    expect(textOf(events.slice(0, -1))).toBe(BEFORE);
    const last = events.at(-1)!;
    expect(last.event).toBe('error');
    expect(JSON.parse(last.data)).toMatchObject({
      status: 503,
      code: 'ai.provider_unavailable',
      request_id: 'r',
      detail: expect.any(String),
      error: { code: 'ai.provider_unavailable', type: 'server_error', message: expect.any(String) },
    });
    expect(chat.logged).toEqual(['chat.stream_failed']);
  });

  it('hides what an unexpected error says', async () => {
    chat.model.script = [BEFORE, new Error('password=1234')];
    const events = await collect(await open());
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({ status: 500, code: 'http.internal' });
    expect(JSON.stringify(events)).not.toContain('1234');
  });

  it('stops the model when its reader leaves', async () => {
    await leaveInTheMiddle();
    expect(chat.model.aborts).toHaveLength(1);
  });

  it('stops the model when its reader leaves before it reads anything', async () => {
    const controller = new AbortController();
    await open(controller.signal);
    await expect.poll(() => chat.model.requests.length).toBe(1);
    controller.abort();
    await expect.poll(() => chat.model.aborts.length).toBe(1);
    expect(chat.logged).toEqual([]);
  });

  it('is replayed from any event on', async () => {
    const events = await complete();
    for (const [index, event] of events.entries()) {
      expect(await collect(await resume(event.id))).toEqual(events.slice(index + 1));
    }
    expect(chat.model.requests).toHaveLength(1);
  });

  it('is followed by a second reader while it is made, and goes on when the first one leaves', async () => {
    const controller = new AbortController();
    const first = (await open(controller.signal))[Symbol.asyncIterator]();
    const start = (await first.next()).value as SseEvent;
    const second = collect(await resume(start.id));
    controller.abort();
    await expect.poll(() => chat.model.requests.length).toBe(1);
    chat.model.go();
    const events = await second;
    expect(textOf(events)).toBe(BEFORE + AFTER);
    expect(events.at(-1)!.data).toBe('[DONE]');
    expect(chat.model.aborts).toEqual([]);
  });

  it('is made again and goes on behind the last event when it was cut, with the same ids', async () => {
    const read = await leaveInTheMiddle();
    // The second time in other pieces.
    chat.model.script = ['The pump', ' is serviced every', ' 500 hours. [1]'];
    const rest = await collect(await resume(read.at(-1)!.id));
    const all = [...read, ...rest];
    expect(textOf(all)).toBe(BEFORE + AFTER);
    const [stem] = read[0]!.id.split('.');
    expect(all.map(({ id }) => id)).toEqual(all.map((_event, index) => `${stem}.${index}`));
    expect(new Set(chunksOf(all).map(({ id }) => id)).size).toBe(1);
    expect(chunksOf(all).at(-1)).toMatchObject({ citations: [{ verified: true }], request_id: 'request-of-a1' });
    expect(chat.model.requests).toHaveLength(2);
    expect(await collect(await resume(read[0]!.id))).toEqual(all.slice(1));
  });

  it('ends with an error when it was cut and the model now writes something else', async () => {
    const read = await leaveInTheMiddle();
    chat.model.script = ['A pump is serviced', AFTER];
    const rest = await collect(await resume(read.at(-1)!.id));
    expect(rest).toHaveLength(1);
    expect(JSON.parse(rest[0]!.data)).toMatchObject({ code: 'chat.stream_changed', status: 409 });
  });

  it('ends with an error when it was cut and the answer is now shorter than what was sent', async () => {
    const read = await leaveInTheMiddle();
    chat.model.script = ['The pump'];
    const rest = await collect(await resume(read.at(-1)!.id));
    expect(rest.map(({ event }) => event)).toEqual(['error']);
  });

  it('is not made again from other sources', async () => {
    const read = await leaveInTheMiddle();
    chat.outcome = { ...chat.outcome, results: fragments().slice(0, 1) };
    await expect(resume(read.at(-1)!.id)).rejects.toMatchObject({ code: 'chat.stream_changed', status: 409 });
  });

  it('cannot be resumed by another account, in another tenant, with an id that is made up, or too late', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const events = await complete();
    const [first] = events;
    const stem = first!.id.split('.')[0]!;
    const unknown = { code: 'chat.stream_not_found', status: 404 };
    await expect(resume(first!.id, contextOf('a2'))).rejects.toMatchObject(unknown);
    await expect(resume(first!.id, contextOf('a1', 't2'))).rejects.toMatchObject(unknown);
    for (const id of ['', 'x', '0', stem, `${stem}.`, `${stem}.99`, `${'0'.repeat(32)}.0`, `${stem}.-1`]) {
      await expect(resume(id)).rejects.toMatchObject(unknown);
    }
    vi.advanceTimersByTime(STREAM_KEPT_MS - 1_000);
    expect(await collect(await resume(first!.id))).toHaveLength(events.length - 1);
    vi.advanceTimersByTime(2_000);
    await expect(resume(first!.id)).rejects.toMatchObject(unknown);
  });

  it('is not replayed to who may no longer see the dataset', async () => {
    const [first] = await complete();
    chat.datasetIsVisible = false;
    await expect(resume(first!.id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });
});
