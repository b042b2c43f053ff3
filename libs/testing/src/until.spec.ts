import { describe, expect, it } from 'vitest';
import { until } from './until.js';

describe('until', () => {
  it('looks at once and resolves to what it found, also when that is 0 or empty', async () => {
    expect(await until(() => 0)).toBe(0);
    expect(await until(async () => '')).toBe('');
  });

  it('looks again as long as the answer is false, null or undefined', async () => {
    const answers = [false, null, undefined, 'there'] as const;
    let looks = 0;
    expect(await until(() => answers[looks++], { everyMs: 1 })).toBe('there');
    expect(looks).toBe(4);
  });

  it('names what did not come', async () => {
    const never = until(() => false, { what: 'the moon', withinMs: 5, everyMs: 1 });
    await expect(never).rejects.toThrow('the moon: not within 5 ms (last: false)');
  });

  it('lets through what looking throws', async () => {
    await expect(until(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
  });
});
