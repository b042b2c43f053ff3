import { describe, expect, it } from 'vitest';
import { MessageThrottle } from './message-throttle.js';
import { reasonOf } from './reason-of.js';

describe('MessageThrottle', () => {
  it('lets the first message through, then one in each pause, with the number of those left out', () => {
    let now = 1_000_000;
    const throttle = new MessageThrottle(30_000, () => now);
    const reported: number[] = [];
    for (let second = 0; second < 90; second += 1) {
      throttle.pass((omitted) => reported.push(omitted));
      now += 1_000;
    }
    expect(reported).toEqual([0, 29, 29]);
  });
});

describe('reasonOf', () => {
  it('is the message, or the code of an error without one, on one line', () => {
    expect(reasonOf(new Error('first\nsecond'))).toBe('first');
    expect(reasonOf(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(reasonOf(new TypeError())).toBe('TypeError');
    expect(reasonOf('text')).toBe('text');
  });
});
