import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairTurns, type Place } from './fair-turns.js';

const BOUNDS = { places: 2, waitingOfOwner: 3, waiting: 10, turnMs: 5_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('turns of tenants', () => {
  let begun: string[];
  let turns: FairTurns;
  const ask = async (owner: string, signal?: AbortSignal): Promise<Place> => {
    const place = await turns.take(owner, signal);
    begun.push(owner);
    return place;
  };
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    begun = [];
    turns = new FairTurns(BOUNDS);
  });

  it('leave the last place to other owners: two statements of one owner do not make another wait', async () => {
    const first = await ask('a');
    void ask('a');
    await settle();
    expect(begun).toEqual(['a']);
    await ask('b');
    expect(begun).toEqual(['a', 'b']);
    turns.give(first);
    await settle();
    expect(begun).toEqual(['a', 'b', 'a']);
  });

  it('go round the owners, regardless of how many statements each has waiting', async () => {
    turns = new FairTurns({ ...BOUNDS, places: 1 });
    const given: Place[] = [await ask('a')];
    for (const owner of ['a', 'a', 'b', 'c', 'b']) void ask(owner).then((place) => given.push(place));
    for (let n = 0; n < 5; n += 1) {
      turns.give(given[n]!);
      await settle();
    }
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('end after five seconds for a waiting owner without a place, the longest first', async () => {
    const [a, b] = [await ask('a'), await ask('b')];
    void ask('a');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([a.over.aborted, b.over.aborted]).toEqual([false, false]);
    void ask('c');
    await settle();
    expect([a.over.aborted, b.over.aborted]).toEqual([true, false]);
    turns.give(a);
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(b.over.aborted).toBe(true);
  });

  it('last five seconds at least', async () => {
    const [a, b] = [await ask('a'), await ask('b')];
    const waiting = new AbortController();
    void ask('c', waiting.signal).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(a.over.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([a.over.aborted, b.over.aborted]).toEqual([true, false]);
    waiting.abort(new Error('left'));
    await settle();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(b.over.aborted).toBe(false);
  });

  it('are refused to an owner who has enough waiting', async () => {
    await ask('a');
    for (let n = 0; n < 3; n += 1) void ask('a');
    await expect(ask('a')).rejects.toMatchObject({ code: 'sql.busy' });
    await ask('b');
  });
});
