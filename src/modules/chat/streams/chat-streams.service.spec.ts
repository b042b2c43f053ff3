import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aiErrors } from '#libs/ai';
import { toCatalogueError, toProblem, type SseEvent } from '#libs/http';
import { until } from '#testing/until';
import type { StreamReader } from './chat-streams.service.js';
import { STREAM_KEPT_MS } from './stream-buffer.service.js';
import { GONE_READER_MS, MOST_UNREAD } from './stream-record.js';
import { ChatFixture, collect, contextOf, requestOf, textOf } from '../testing/chat-fakes.js';

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
    // The last word may be the beginning of an address and is held back.
    expect(textOf(events.slice(0, -1))).toBe('The pump is');
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

  it('reads no more from the model than its reader takes, and in the end everything', async () => {
    const words = Array.from({ length: MOST_UNREAD * 3 }, (_, n) => `word${n} `);
    chat.model.script = words;
    const events = await open();
    await until(() => chat.model.taken >= MOST_UNREAD, { what: 'the pieces that are taken ahead', withinMs: 3_000 });
    // What was to come without a reader has come after some turns of the loop.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(chat.model.taken).toBeLessThan(MOST_UNREAD + 10);
    expect(textOf(await collect(events))).toBe(words.join(''));
  });

  it('continues an answer for a reader who has left, regardless of its size', async () => {
    chat.model.script = Array.from({ length: MOST_UNREAD * 3 }, (_, n) => `word${n} `);
    const controller = new AbortController();
    const request = requestOf({ stream: true, stream_options: { resumable: true } });
    const events = await chat.service.stream(CTX, request, undefined, readerUntil(controller.signal));
    const read = [(await events[Symbol.asyncIterator]().next()).value as SseEvent];
    await until(() => chat.model.taken >= MOST_UNREAD, { what: 'the pieces that are taken ahead', withinMs: 3_000 });
    controller.abort();
    await until(() => chat.model.taken === MOST_UNREAD * 3, { what: 'the rest of the answer', withinMs: 3_000 });
    expect(await collect(await resume(read[0]!.id))).not.toEqual([]);
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

  it('is followed by a second reader while it is made, and continues when the first one leaves', async () => {
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

  it('ends with an error event when its reader leaves, and the model is never called again', async () => {
    const read = await leaveInTheMiddle();
    const rest = await collect(await resume(read.at(-1)!.id));
    expect(rest.map(({ event, data }) => [event, (JSON.parse(data) as { code: string }).code])).toEqual([
      ['error', 'chat.stream_stopped'],
    ]);
    expect(chat.model.aborts).toHaveLength(1);
    expect(await collect(await resume(read.at(-1)!.id))).toEqual(rest);
    expect(chat.model.requests).toHaveLength(1);
    expect(chat.logged).toEqual([]);
  });

  describe('that is resumable', () => {
    const openResumable = (signal: AbortSignal): Promise<AsyncIterable<SseEvent>> =>
      chat.service.stream(
        CTX,
        requestOf({ stream: true, stream_options: { resumable: true } }),
        undefined,
        readerUntil(signal),
      );
    async function leave(): Promise<SseEvent> {
      const controller = new AbortController();
      const events = (await openResumable(controller.signal))[Symbol.asyncIterator]();
      const first = (await events.next()).value as SseEvent;
      controller.abort();
      await events.next();
      return first;
    }

    it('continues for a reader who comes back', async () => {
      const first = await leave();
      const rest = collect(await resume(first.id));
      chat.model.go();
      const events = [first, ...(await rest)];
      expect(textOf(events)).toBe(BEFORE + AFTER);
      expect(events.at(-1)!.data).toBe('[DONE]');
      expect(chat.model.aborts).toEqual([]);
      expect(chat.model.requests).toHaveLength(1);
    });

    it('is stopped 30 seconds after its reader has left', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const first = await leave();
      await vi.advanceTimersByTimeAsync(GONE_READER_MS - 1_000);
      expect(chat.model.aborts).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
      await expect.poll(() => chat.model.aborts.length).toBe(1);
      vi.useRealTimers();
      expect((await collect(await resume(first.id))).at(-1)).toMatchObject({ event: 'error' });
    });

    it('is stopped at once when its reader has no event from which to continue', async () => {
      chat.model.script = [WAIT];
      const controller = new AbortController();
      const opened = openResumable(controller.signal);
      await expect.poll(() => chat.model.requests.length).toBe(1);
      controller.abort();
      await expect(opened).rejects.toThrow('reader has left');
      expect(chat.model.aborts).toHaveLength(1);
    });
  });

  it('sends nothing before the first word of the model: earlier errors are thrown', async () => {
    chat.model.script = [aiErrors.provider_unavailable({ provider: 'x', model: 'y' })];
    await expect(open()).rejects.toMatchObject({ code: 'ai.provider_unavailable' });
    expect(chat.logged).toEqual([]);
  });

  it.each([true, false])('is given up when the model does not begin in time (stream: %s)', async (stream) => {
    chat = new ChatFixture(undefined, { chatFirstTokenSeconds: 0.05, groundingMethod: 'lexical' });
    chat.model.script = [WAIT, AFTER];
    const late = { code: 'chat.first_token_late', status: 503 };
    if (stream) await expect(open()).rejects.toMatchObject(late);
    else
      await expect(chat.service.complete(CTX, requestOf(), new AbortController().signal)).rejects.toMatchObject(late);
    expect(chat.model.aborts).toMatchObject([late]);
  });

  it('cannot be resumed by another account, in another tenant, with an id that is made up, or too late', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
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

  it('is not replayed for a caller who no longer sees the dataset', async () => {
    const [first] = await complete();
    chat.datasetIsVisible = false;
    await expect(resume(first!.id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });
});
