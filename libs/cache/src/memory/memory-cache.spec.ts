import { describe, expect, it } from 'vitest';
import { describeCache } from '../testing/describe-cache.js';
import { MemoryCache } from './memory-cache.js';

describeCache('MemoryCache', async () => {
  let now = 1_000_000;
  return { cache: new MemoryCache({ now: () => now }), pass: async (ms) => void (now += ms) };
});

describe('MemoryCache', () => {
  it('drops the entry that was used longest ago when it holds too many', async () => {
    const cache = new MemoryCache({ maxEntries: 2 });
    await cache.set('a', '1', 1000);
    await cache.set('b', '2', 1000);
    await cache.get('a');
    await cache.set('c', '3', 1000);
    expect(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))).toEqual(['1', null, '3']);
  });

  it('drops entries when keys and values together are too long, also the new one when it alone is', async () => {
    const cache = new MemoryCache({ maxChars: 10 });
    await cache.set('a', '1234', 1000);
    await cache.set('b', '1234', 1000);
    await cache.set('c', '1234', 1000);
    expect(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))).toEqual([null, '1234', '1234']);
    await cache.set('d', '12345678901', 1000);
    expect(await Promise.all(['b', 'c', 'd'].map((key) => cache.get(key)))).toEqual([null, null, null]);
    await cache.set('e', '123456789', 1000);
    expect(await cache.get('e')).toBe('123456789');
  });
});
