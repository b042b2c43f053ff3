import { describe, expect, it } from 'vitest';
import { prefetchOne } from './prefetch-one.js';

describe('prefetchOne', () => {
  /** Notes what it makes, and that it was ended. */
  async function* numbers(made: (number | string)[], last: number, failing?: number): AsyncGenerator<number> {
    try {
      for (let n = 1; n <= last; n += 1) {
        if (n === failing) throw new Error(`no ${n}`);
        made.push(n);
        yield n;
      }
    } finally {
      made.push('ended');
    }
  }
  const all = async (values: AsyncIterable<number>): Promise<number[]> => {
    const list: number[] = [];
    for await (const value of values) list.push(value);
    return list;
  };

  it('gives everything in order', async () => {
    expect(await all(prefetchOne(numbers([], 0)))).toEqual([]);
    expect(await all(prefetchOne(numbers([], 3)))).toEqual([1, 2, 3]);
  });

  it('makes the next one while the caller is at work, and no further', async () => {
    const made: (number | string)[] = [];
    const values = prefetchOne(numbers(made, 4));
    await values.next();
    await Promise.resolve();
    expect(made).toEqual([1, 2]);
    await values.next();
    await Promise.resolve();
    expect(made).toEqual([1, 2, 3]);
  });

  it('fails when the turn of what failed comes, and ends the source', async () => {
    const made: (number | string)[] = [];
    const values = prefetchOne(numbers(made, 4, 2));
    expect((await values.next()).value).toBe(1);
    await expect(values.next()).rejects.toThrow('no 2');
    expect(made).toEqual([1, 'ended']);
  });

  it('ends the source when the caller leaves, also where the next value has failed', async () => {
    const made: (number | string)[] = [];
    for await (const value of prefetchOne(numbers(made, 4))) if (value === 2) break;
    expect(made).toEqual([1, 2, 3, 'ended']);
    const failing = prefetchOne(numbers(made, 4, 2));
    expect((await failing.next()).value).toBe(1);
    await failing.return(undefined);
  });
});
