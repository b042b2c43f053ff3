import { delay } from '#libs/common';
import type { SseEvent } from '#libs/http';

export const STREAM_TEST_EVENTS = 10;
export const STREAM_TEST_PAUSE_MS = 500;

/** Ten events with a pause between them and the time in each; fewer when the reader leaves. */
export async function* streamTestEvents(
  signal: AbortSignal,
  pauseMs: number = STREAM_TEST_PAUSE_MS,
): AsyncGenerator<SseEvent, void, undefined> {
  const began = performance.now();
  for (let index = 0; index < STREAM_TEST_EVENTS && !signal.aborted; index += 1) {
    const elapsed_ms = Math.round(performance.now() - began);
    const sent_at = new Date().toISOString();
    yield {
      id: `test.${index}`,
      data: JSON.stringify({ number: index + 1, of: STREAM_TEST_EVENTS, elapsed_ms, sent_at }),
    };
    // The reader that leaves in between is noticed by the loop.
    if (index + 1 < STREAM_TEST_EVENTS) await delay(pauseMs, signal).catch(() => undefined);
  }
}
