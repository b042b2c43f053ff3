import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callerSignal } from './caller-signal.js';

describe('callerSignal', () => {
  let app: FastifyInstance;
  let url: string;
  let signal: AbortSignal;
  let begun: Promise<void>;
  let letAnswer: () => void;

  beforeEach(async () => {
    app = Fastify();
    const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve));
    begun = new Promise((resolve) => {
      app.post('/', async (_request, reply) => {
        signal = callerSignal(reply);
        resolve();
        await mayAnswer;
        return { isGone: signal.aborted };
      });
    });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => app.close());

  const post = (caller?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      ...(caller ? { signal: caller } : {}),
    });

  it('stays silent while the caller waits and after it was answered', async () => {
    const answer = post();
    await begun;
    letAnswer();
    await expect((await answer).json()).resolves.toEqual({ isGone: false });
    expect(signal.aborted).toBe(false);
  });

  it('fires when the caller leaves', async () => {
    const caller = new AbortController();
    const answer = post(caller.signal);
    await begun;
    caller.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
    letAnswer();
  });
});
