import { describe, expect, it } from 'vitest';
import { searchCacheBytes } from './search-cache-size.js';

const MB = 1_048_576;

describe('the memory for features of chunks', () => {
  it.each([
    { megabytes: 64, available: 1, expected: 64 },
    { megabytes: 0, available: 512, expected: 128 },
    { megabytes: 0, available: 4_096, expected: 512 },
    { megabytes: 0, available: 65_536, expected: 2_048 },
  ])(
    'is $expected MiB for SEARCH_CACHE_MB=$megabytes where there are $available',
    ({ megabytes, available, expected }) => {
      expect(searchCacheBytes(megabytes, available * MB)).toBe(expected * MB);
    },
  );

  it('fits the machine', () => {
    expect(searchCacheBytes(0)).toBeGreaterThanOrEqual(128 * MB);
    expect(searchCacheBytes(0)).toBeLessThanOrEqual(2_048 * MB);
  });
});
