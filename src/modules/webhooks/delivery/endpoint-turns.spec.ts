import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EndpointTurns } from './endpoint-turns.js';

describe('turns of an endpoint', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('limit the simultaneous attempts of each endpoint, and pass a turn on at once', async () => {
    const turns = new EndpointTurns(2);
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const begin = (endpoint: string, name: string): Promise<number | null> =>
      turns.run(endpoint, () => {
        begun.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    const runs = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('b', 'b1')];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    ends[0]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const end of ends) end();
    expect(await Promise.all(runs)).toEqual([null, null, null, null]);
  });

  it('are waited for at most two seconds; tasks that gave up come back one after another', async () => {
    const turns = new EndpointTurns(1);
    let end = (): void => undefined;
    const first = turns.run('a', () => new Promise((resolve) => (end = resolve)));
    const late = [turns.run('a', () => Promise.resolve()), turns.run('a', () => Promise.resolve())];
    await vi.advanceTimersByTimeAsync(2_000);
    const pauses = await Promise.all(late);
    expect(pauses[1]! - pauses[0]!).toBe(100);
    end();
    await first;
    expect(await turns.run('a', () => Promise.resolve())).toBeNull();
  });

  it('are not given for an endpoint that does not answer until its pause is over; then one attempt is made', async () => {
    const turns = new EndpointTurns(8);
    const attempt = (isAnswered: boolean): Promise<number | null> =>
      turns.run('dead', async () => turns.note('dead', isAnswered));
    for (let n = 0; n < 5; n += 1) expect(await attempt(false)).toBeNull();
    expect([await attempt(true), await attempt(true)]).toEqual([2_000, 3_000]);
    expect(await turns.run('other', () => Promise.resolve())).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(await attempt(false)).toBeNull();
    // Twice as long, and postponed tasks come back one after another.
    expect(await attempt(true)).toBe(3_000);
    vi.advanceTimersByTime(2_000);
    let end = (): void => undefined;
    const probe = turns.run('dead', () => new Promise((resolve) => (end = resolve)));
    expect(await attempt(true)).toBeGreaterThan(1_000);
    turns.note('dead', true);
    end();
    expect([await probe, await attempt(true)]).toEqual([null, null]);
  });

  it('are given at once to the next task if no attempt was made after the pause', async () => {
    const turns = new EndpointTurns(8);
    for (let n = 0; n < 5; n += 1) await turns.run('dead', async () => turns.note('dead', false));
    vi.advanceTimersByTime(1_000);
    // Its delivery was cancelled meanwhile, or is not due yet.
    expect(await turns.run('dead', () => Promise.resolve())).toBeNull();
    await expect(turns.run('dead', () => Promise.reject(new Error('not due')))).rejects.toThrow('not due');
    expect(await turns.run('dead', async () => turns.note('dead', true))).toBeNull();
  });

  it('are released by work that fails', async () => {
    const turns = new EndpointTurns(1);
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run('a', () => Promise.resolve())).toBeNull();
  });
});
