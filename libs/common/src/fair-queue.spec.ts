import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

function filled(): FairQueue<string> {
  const lines = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1']) lines.push(item[0]!, item);
  return lines;
}

describe('lines of parties', () => {
  it('come in turn, and each in its own order', () => {
    const lines = filled();
    const order: string[] = [];
    for (let next = lines.shift(); next !== undefined; next = lines.shift()) order.push(next.item);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    expect([lines.size, lines.parties]).toEqual([0, 0]);
  });

  it('pass over a party that may not come, which keeps its turn', () => {
    const lines = filled();
    expect(lines.shift((party) => party !== 'a')?.item).toBe('b1');
    expect(lines.shift()?.item).toBe('a1');
    expect(lines.shift(() => false)).toBeUndefined();
    expect(lines.clear().toSorted()).toEqual(['a2', 'a3', 'c1']);
    expect(lines.size).toBe(0);
  });
});
