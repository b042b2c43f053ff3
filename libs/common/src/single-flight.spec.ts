import { describe, expect, it } from 'vitest';
import { SingleFlight } from './single-flight.js';

/** Work that ends when the test says so. */
class Held {
  begun = 0;
  end: (value: string) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  signal: AbortSignal | undefined;

  readonly work = (signal: AbortSignal): Promise<string> => {
    this.begun += 1;
    this.signal = signal;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
}

const stays = (): AbortSignal => new AbortController().signal;

describe('SingleFlight', () => {
  it('does the work once for all who ask at the same time, and again for who comes later', async () => {
    const [held, flights] = [new Held(), new SingleFlight<string>()];
    const asked = [1, 2, 3].map(() => flights.run('a', held.work, stays()));
    held.end('done');
    expect(await Promise.all(asked)).toEqual(['done', 'done', 'done']);
    expect(held.begun).toBe(1);
    const later = flights.run('a', held.work, stays());
    held.end('again');
    expect(await later).toBe('again');
    expect(held.begun).toBe(2);
  });

  it('keeps keys apart', async () => {
    const [one, two, flights] = [new Held(), new Held(), new SingleFlight<string>()];
    const asked = [flights.run('a', one.work, stays()), flights.run('b', two.work, stays())];
    two.end('b');
    one.end('a');
    expect(await Promise.all(asked)).toEqual(['a', 'b']);
  });

  it('gives its error to all, and tries again for the next', async () => {
    const [held, flights] = [new Held(), new SingleFlight<string>()];
    const asked = [1, 2].map(() => flights.run('a', held.work, stays()));
    const gone = new Error('away');
    held.fail(gone);
    expect(await Promise.allSettled(asked)).toEqual([1, 2].map(() => ({ status: 'rejected', reason: gone })));
    const next = flights.run('a', held.work, stays());
    held.end('back');
    expect(await next).toBe('back');
  });

  it('answers who leaves at once, and goes on for the others', async () => {
    const [held, flights, leaver] = [new Held(), new SingleFlight<string>(), new AbortController()];
    const [first, second] = [flights.run('a', held.work, leaver.signal), flights.run('a', held.work, stays())];
    const reason = new Error('has left');
    leaver.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(held.signal!.aborted).toBe(false);
    held.end('done');
    expect(await second).toBe('done');
  });

  it('stops the work when all have left; who comes then begins again', async () => {
    const [held, flights, leaver] = [new Held(), new SingleFlight<string>(), new AbortController()];
    const asked = [1, 2].map(() => flights.run('a', held.work, leaver.signal));
    const reason = new Error('have left');
    leaver.abort(reason);
    const next = flights.run('a', held.work, stays());
    for (const one of asked) await expect(one).rejects.toBe(reason);
    expect(held.begun).toBe(2);
    held.end('for the next');
    expect(await next).toBe('for the next');
  });

  it('does nothing for who has left before', async () => {
    const [held, flights] = [new Held(), new SingleFlight<string>()];
    const reason = new Error('gone');
    await expect(flights.run('a', held.work, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(held.begun).toBe(0);
  });
});
