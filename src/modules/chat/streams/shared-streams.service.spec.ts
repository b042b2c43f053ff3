import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryCache } from '#libs/cache';
import { toCatalogueError, toProblem, type SseEvent } from '#libs/http';
import type { StreamReader } from './chat-streams.service.js';
import { ChatFixture, collect, contextOf, requestOf, textOf } from '../testing/chat-fakes.js';

const CTX = contextOf('a1');
const SHARED = { chatFirstTokenSeconds: 60, groundingMethod: 'lexical', redisUrl: 'redis://shared' };
const BEFORE = 'The pump is serviced';
const AFTER = ' every 500 hours. [1]';

function readerUntil(signal: AbortSignal): StreamReader {
  return {
    signal,
    describe: (thrown) => {
      const error = toCatalogueError(thrown, { url: '/', method: 'POST' } as never);
      return { error, problem: toProblem(error, '/', 'r') };
    },
  };
}
const staying = readerUntil(new AbortController().signal);

/** Two processes that share a cache. */
describe('a resumable stream in an installation of several processes', () => {
  let one: ChatFixture;
  let other: ChatFixture;
  beforeEach(() => {
    const cache = new MemoryCache();
    one = new ChatFixture(undefined, SHARED, cache);
    other = new ChatFixture(undefined, SHARED, cache);
    one.model.script = [BEFORE, { wait: true }, AFTER];
  });

  async function leave(resumable = true): Promise<SseEvent> {
    const controller = new AbortController();
    const request = requestOf({ stream: true, stream_options: { resumable } });
    const opened = await one.service.stream(CTX, request, undefined, readerUntil(controller.signal));
    const events = opened[Symbol.asyncIterator]();
    const first = (await events.next()).value as SseEvent;
    controller.abort();
    return first;
  }
  const resume = (id: string, ctx = CTX): Promise<AsyncIterable<SseEvent>> =>
    other.service.stream(ctx, requestOf({ stream: true }), id, staying);

  it('continues in another process from the last event that was read, while it is made and afterwards', async () => {
    const first = await leave();
    await expect
      .poll(() =>
        resume(first.id).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const rest = collect(await resume(first.id));
    one.model.go();
    const events = [first, ...(await rest)];
    expect(textOf(events)).toBe(BEFORE + AFTER);
    expect(events.at(-1)!.data).toBe('[DONE]');
    const [stem] = first.id.split('.');
    expect(events.map(({ id }) => id)).toEqual(events.map((_event, index) => `${stem}.${index}`));
    expect(await collect(await resume(events[1]!.id))).toEqual(events.slice(2));
    expect(other.model.requests).toEqual([]);
  });

  it('is found only by its owner, and only with the option', async () => {
    const first = await leave();
    await expect
      .poll(() =>
        resume(first.id).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const unknown = { code: 'chat.stream_not_found' };
    await expect(resume(first.id, contextOf('a2'))).rejects.toMatchObject(unknown);
    await expect(resume(first.id, contextOf('a1', 't2'))).rejects.toMatchObject(unknown);
    const plain = await leave(false);
    await expect(resume(plain.id)).rejects.toMatchObject(unknown);
  });
});
