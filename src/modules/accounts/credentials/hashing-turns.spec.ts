import { describe, expect, it } from 'vitest';
import { HashingTurns, type HashingCaller } from './hashing-turns.js';

const BOUNDS = { atOnce: 1, mostWaiting: 12, mostOfPrefix: 4 };
const stranger = (prefix: string | null): HashingCaller => ({ prefix, isKnown: false });
const KNOWN: HashingCaller = { prefix: 'home', isKnown: true };

/** Turns that one piece of work holds until `release`; what follows is noted in its order. */
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
  it('let those who logged in before go first, however many strangers wait', async () => {
    const { ask, order, release } = busy();
    const all = ['a', 'b', 'c'].flatMap((network) => [1, 2, 3].map((n) => ask(`${network}${n}`, stranger(network))));
    all.push(ask('home', KNOWN));
    await release();
    await Promise.all(all);
    expect(order[0]).toBe('home');
    expect(order).toHaveLength(10);
  });

  it('go round among the prefixes of strangers', async () => {
    const { ask, order, release } = busy();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, stranger('a')));
    all.push(ask('b1', stranger('b')), ask('b2', stranger('b')));
    await release();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('refuse what a prefix sends beyond its share, and no one else for it', async () => {
    const { ask, release } = busy();
    const all = [1, 2, 3, 4].map((n) => ask(`a${n}`, stranger('a')));
    await expect(ask('a5', stranger('a'))).rejects.toMatchObject({ code: 'accounts.busy' });
    all.push(ask('b1', stranger('b')));
    await release();
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it('are bounded for strangers of all prefixes together, and keep room for those who are known', async () => {
    const { ask, release } = busy();
    const all = ['a', 'b', 'c'].flatMap((network) => [1, 2, 3, 4].map(() => ask(network, stranger(network))));
    await expect(ask('d', stranger('d'))).rejects.toMatchObject({ code: 'accounts.busy' });
    all.push(ask('home', KNOWN));
    await release();
    expect(await Promise.all(all)).toHaveLength(13);
  });

  it('are free again when work fails', async () => {
    const turns = new HashingTurns(BOUNDS);
    await expect(turns.run(KNOWN, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(KNOWN, async () => 'done')).toBe('done');
  });
});
