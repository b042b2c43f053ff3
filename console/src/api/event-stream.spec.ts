import { describe, expect, it } from 'vitest';
import { eventsOf, type StreamEvent } from './event-stream.js';

async function read(...pieces: readonly string[]): Promise<readonly StreamEvent[]> {
  async function* all(): AsyncGenerator<string> {
    yield* pieces;
  }
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(all())) events.push(event);
  return events;
}

describe('events of a stream', () => {
  it('are read whatever pieces they come in', async () => {
    const whole = 'id: 1\ndata: {"a":1}\n\nevent: error\r\ndata: two\r\ndata:  lines\r\n\r\ndata: [DONE]\n\n';
    const expected = [
      { id: '1', event: 'message', data: '{"a":1}' },
      { event: 'error', data: 'two\n lines' },
      { event: 'message', data: '[DONE]' },
    ];
    expect(await read(whole)).toEqual(expected);
    expect(await read(...whole.replaceAll('\r', ''))).toEqual(expected);
  });

  it('are no comments, and nothing that was cut off', async () => {
    expect(await read(': heartbeat\n\n', 'data: one\n\n', 'data: cut')).toEqual([{ event: 'message', data: 'one' }]);
  });
});
