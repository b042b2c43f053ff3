import { describe, expect, it } from 'vitest';
import { LocalCounters } from './local-counters.js';

function countersAt(start: number): { readonly own: LocalCounters; readonly pass: (ms: number) => void } {
  let now = start;
  return { own: new LocalCounters(() => now), pass: (ms) => void (now += ms) };
}

describe('counters of a process that cannot reach the shared ones', () => {
  it('go on from the last value that was shared, and within its window', () => {
    const { own, pass } = countersAt(1_000_000);
    own.note('a', { value: 7, expiresInMs: 10_000 });
    pass(4_000);
    expect(own.count('a', 1, 60_000)).toEqual({ value: 8, expiresInMs: 6_000 });
    pass(6_000);
    expect(own.count('a', 1, 60_000)).toEqual({ value: 1, expiresInMs: 60_000 });
  });

  it('owe what was counted alone, once, and no longer than its window', () => {
    const { own, pass } = countersAt(1_000_000);
    own.count('a', 1, 60_000);
    own.count('a', 2, 60_000);
    expect([own.takeOwed('a'), own.takeOwed('a')]).toEqual([3, 0]);
    own.count('b', 1, 60_000);
    pass(60_000);
    expect(own.takeOwed('b')).toBe(0);
  });

  it('keep what could not be told', () => {
    const { own } = countersAt(1_000_000);
    own.count('a', 2, 60_000);
    const owed = own.takeOwed('a');
    expect(own.count('a', 1, 60_000, owed)).toMatchObject({ value: 3 });
    expect(own.takeOwed('a')).toBe(3);
  });

  it('count down too, and forget', () => {
    const { own } = countersAt(1_000_000);
    own.note('open', { value: 2, expiresInMs: 60_000 });
    expect(own.count('open', -1, 60_000)).toMatchObject({ value: 1 });
    expect(own.takeOwed('open')).toBe(-1);
    own.forget('open');
    expect(own.count('open', 1, 60_000)).toMatchObject({ value: 1 });
  });

  it('are bounded: what was used longest ago goes first', () => {
    const { own } = countersAt(1_000_000);
    for (let n = 0; n < 50_001; n += 1) own.count(`key-${n}`, 1, 60_000);
    expect(own.takeOwed('key-0')).toBe(0);
    expect(own.takeOwed('key-1')).toBe(1);
  });
});
