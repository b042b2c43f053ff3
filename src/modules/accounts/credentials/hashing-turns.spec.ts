import { describe, expect, it } from 'vitest';
import { HashingTurns, type HashingCaller } from './hashing-turns.js';

const BOUNDS = { atOnce: 1, mostWaiting: 12, mostOfPrefix: 4 };
const stranger = (prefix: string | null): HashingCaller => ({ prefix, isKnown: false });
const KNOWN: HashingCaller = { prefix: 'home', isKnown: true };

/** Turns that are occupied until `release`; later work is recorded in its order. */
function busy() {
  const turns = new HashingTurns(BOUNDS);
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = turns.run(stranger(null), () => gate.promise);
  const ask = (name: string, caller: HashingCaller): Promise<string> =>
    turns.run(caller, async () => {
      order.push(name);
      return name;
    });
  return { ask, order, release: () => (gate.resolve(), first) };
}

describe('turns of hashing', () => {
  it('serve known callers first, however many unknown ones wait', async () => {
    const { ask, order, release } = busy();
    const all = ['a', 'b', 'c'].flatMap((network) => [1, 2, 3].map((n) => ask(`${network}${n}`, stranger(network))));
    all.push(ask('home', KNOWN));
    await release();
    await Promise.all(all);
    expect(order[0]).toBe('home');
    expect(order).toHaveLength(10);
  });

  it('alternate between the prefixes of unknown callers', async () => {
    const { ask, order, release } = busy();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, stranger('a')));
    all.push(ask('b1', stranger('b')), ask('b2', stranger('b')));
    await release();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('refuse requests of a prefix beyond its share, without affecting others', async () => {
    const { ask, release } = busy();
    const all = [1, 2, 3, 4].map((n) => ask(`a${n}`, stranger('a')));
    await expect(ask('a5', stranger('a'))).rejects.toMatchObject({ code: 'accounts.busy' });
    all.push(ask('b1', stranger('b')));
    await release();
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it('are limited for unknown callers of all prefixes together, and keep room for known ones', async () => {
    const { ask, release } = busy();
    const all = ['a', 'b', 'c'].flatMap((network) => [1, 2, 3, 4].map(() => ask(network, stranger(network))));
    await expect(ask('d', stranger('d'))).rejects.toMatchObject({ code: 'accounts.busy' });
    all.push(ask('home', KNOWN));
    await release();
    expect(await Promise.all(all)).toHaveLength(13);
  });

  it('are released when work fails', async () => {
    const turns = new HashingTurns(BOUNDS);
    await expect(turns.run(KNOWN, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(KNOWN, async () => 'done')).toBe('done');
  });
});
