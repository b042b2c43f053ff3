import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlabCache, type SlabRecord } from './slab-cache.js';

const KIB = 1024;

/** Fills a record with numbers that only its key can have. */
function put(cache: SlabCache<number>, key: number, size: number): SlabRecord<number> {
  const record = cache.add(String(key), size, key);
  record.slab.words.fill(key + 1, record.at, record.at + size);
  return record;
}
const isWhole = ({ slab, at, size, facts }: SlabRecord<number>): boolean =>
  slab.words.subarray(at, at + size).every((word) => word === facts + 1);

describe('SlabCache', () => {
  it('returns what was written or nothing, and stays within its bytes', () => {
    const anyStep = fc.record({
      key: fc.nat({ max: 40 }),
      size: fc.integer({ min: 1, max: 3_000 }),
      reads: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
        const cache = new SlabCache<number>(64 * KIB);
        const held: SlabRecord<number>[] = [];
        for (const { key, size, reads } of steps) {
          const record = reads ? cache.get(String(key)) : put(cache, key, size);
          if (record !== undefined) held.push(record);
          expect(cache.bytes).toBeLessThanOrEqual(64 * KIB + 8 * KIB);
        }
        // A record that someone holds stays readable when the cache has long forgotten it.
        expect(held.every(isWhole)).toBe(true);
      }),
    );
  });

  it('forgets what was written first and not read since', () => {
    const cache = new SlabCache<number>(64 * KIB);
    for (let key = 0; key < 100; key += 1) put(cache, key, 1_000);
    expect(cache.get('0')).toBeUndefined();
    expect(cache.get('99')?.facts).toBe(99);
  });

  it('keeps what is read again and again', () => {
    const cache = new SlabCache<number>(64 * KIB);
    put(cache, 0, 100);
    for (let key = 1; key < 500; key += 1) {
      put(cache, key, 500);
      expect(cache.get('0')).toBeDefined();
    }
    expect(cache.get('1')).toBeUndefined();
  });

  it('makes a record that is too large for it, and does not keep it', () => {
    const cache = new SlabCache<number>(64 * KIB);
    expect(isWhole(put(cache, 7, 50_000))).toBe(true);
    expect(cache.get('7')).toBeUndefined();
  });
});
