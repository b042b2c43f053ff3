import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

/** Work that ends when the test says so. */
function heldWork() {
  const groups: string[][] = [];
  const releases: (() => void)[] = [];
  const work = async (items: readonly string[]): Promise<string[]> => {
    groups.push([...items]);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (items.includes('bad')) throw new Error(`bad among ${items.length}`);
    return items.map((item) => item.toUpperCase());
  };
  const release = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    releases.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { groups, work, release, releases };
}

describe('Batcher', () => {
  it('lets the first go at once and those who come meanwhile together', async () => {
    const { groups, work, release } = heldWork();
    const batcher = new Batcher(work);
    const first = batcher.submit('k', 'a');
    await new Promise((resolve) => setImmediate(resolve));
    const later = [batcher.submit('k', 'b'), batcher.submit('k', 'c')];
    expect(groups).toEqual([['a']]);
    await release();
    await release();
    expect(await Promise.all([first, ...later])).toEqual(['A', 'B', 'C']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  it('keeps keys apart and groups small', async () => {
    const { groups, work, release } = heldWork();
    const batcher = new Batcher(work, 2);
    const all = ['a', 'b', 'c'].map((item) => batcher.submit('one', item));
    const other = batcher.submit('two', 'd');
    await release();
    await release();
    await release();
    expect(await Promise.all([...all, other])).toEqual(['A', 'B', 'C', 'D']);
    expect(groups).toEqual([['a', 'b'], ['d'], ['c']]);
  });

  it('does the items of a group that failed again alone, and fails only the one that fails alone', async () => {
    const { groups, work, release, releases } = heldWork();
    const batcher = new Batcher(work);
    const all = Promise.allSettled(['a', 'bad', 'c'].map((item) => batcher.submit('k', item)));
    await release();
    expect(releases).toHaveLength(3);
    for (let n = 0; n < 3; n += 1) await release();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('goes on after a failure', async () => {
    const { work, release } = heldWork();
    const batcher = new Batcher(work);
    const bad = expect(batcher.submit('k', 'bad')).rejects.toThrow('bad among 1');
    await release();
    await bad;
    const good = batcher.submit('k', 'good');
    await release();
    expect(await good).toBe('GOOD');
  });
});
