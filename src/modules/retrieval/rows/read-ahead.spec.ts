import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('readAhead', () => {
  it('gives everything in order', async () => {
    expect(await all(readAhead([], async () => 1))).toEqual([]);
    expect(await all(readAhead([3, 1, 2], async (n) => n * 10))).toEqual([30, 10, 20]);
  });

  it('reads the next item before the caller is done with the previous one, and no further', async () => {
    const asked: number[] = [];
    const reads = readAhead([1, 2, 3, 4], async (n) => asked.push(n));
    await reads.next();
    expect(asked).toEqual([1, 2]);
    await reads.next();
    expect(asked).toEqual([1, 2, 3]);
  });

  it('fails at the item whose reading failed', async () => {
    const reads = readAhead([1, 2], (n) => (n === 2 ? Promise.reject(new Error('gone')) : Promise.resolve(n)));
    expect((await reads.next()).value).toBe(1);
    await expect(reads.next()).rejects.toThrow('gone');
  });
});
