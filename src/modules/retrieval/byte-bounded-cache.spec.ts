import { describe, expect, it } from 'vitest';
import { ByteBoundedCache } from './byte-bounded-cache.js';

describe('ByteBoundedCache', () => {
  it('lets go of what was not used for longest', () => {
    const cache = new ByteBoundedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    cache.get('a');
    cache.set('c', 3, 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
    expect(cache.bytes).toBe(8);
  });

  it('counts a replaced value once', () => {
    const cache = new ByteBoundedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('a', 2, 6);
    expect([cache.get('a'), cache.bytes]).toEqual([2, 6]);
  });

  it('does not keep what is larger than its bound', () => {
    const cache = new ByteBoundedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 11);
    expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined]);
  });
});
