import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  const { signal } = new AbortController();

  it('lets in what has room, and the rest in the order in which it came', async () => {
    const budget = new ByteBudget(10);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const enter = (name: string, bytes: number): Promise<void> =>
      budget.run(bytes, signal, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const all = [enter('a', 6), enter('b', 6), enter('c', 1), enter('huge', 99)];
    await Promise.resolve();
    expect(begun).toEqual(['a']);
    ends.get('a')!();
    await all[0];
    await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
    ends.get('b')!();
    ends.get('c')!();
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'huge']);
    ends.get('huge')!();
    await Promise.all(all);
  });

  it('forgets who gives up waiting', async () => {
    const budget = new ByteBudget(10);
    const gate = Promise.withResolvers<void>();
    const leaving = new AbortController();
    const first = budget.run(10, signal, () => gate.promise);
    const second = budget.run(10, leaving.signal, () => Promise.reject(new Error('never')));
    const third = budget.run(1, signal, () => Promise.resolve('in'));
    leaving.abort(new Error('the caller left'));
    await expect(second).rejects.toThrow('the caller left');
    gate.resolve();
    await first;
    await expect(third).resolves.toBe('in');
  });
});
