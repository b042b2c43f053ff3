import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HashCounts } from './hash-counts.js';

const anyKeys = fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 90 })), {
  maxLength: 400,
});

it('counts as a map does, whatever is added and taken back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKeys, fc.nat({ max: 3 })), { maxLength: 8 }), fc.nat(), (rounds, drawn) => {
      const [counts, expected] = [new HashCounts(), new Map<number, number>()];
      const change = (keys: Uint32Array, amounts: Uint32Array, sign: 1 | -1): void => {
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        expect(sign * counts.addMany(keys, amounts, sign)).toBeCloseTo(total);
        for (const [at, key] of keys.entries()) expected.set(key, (expected.get(key) ?? 0) + sign * amounts[at]!);
      };
      const parts = rounds.map(([keys, amount]) => {
        const sorted = Uint32Array.from(keys).sort();
        return [sorted, sorted.map((key) => (key + amount) % 5)] as const;
      });
      for (const [keys, amounts] of parts) change(keys, amounts, 1);
      for (const [at, [keys, amounts]] of parts.entries()) if ((drawn + at) % 2 === 0) change(keys, amounts, -1);
      const left = [...expected].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
      const { hashes, counts: kept } = counts.entries();
      const found = [...hashes].map((hash, at) => [hash, kept[at]!] as const).sort(([a], [b]) => a - b);
      expect(found).toEqual(left);
      expect(counts.size).toBe(left.length);
      for (const [key, count] of expected) expect(counts.get(key)).toBe(count);
    }),
  );
});

it('refuses what would fall below nothing, and counts on', () => {
  const counts = new HashCounts();
  counts.addMany(Uint32Array.of(1, 2), Uint32Array.of(1, 1), 1);
  expect(() => counts.addMany(Uint32Array.of(1, 3), Uint32Array.of(1, 1), -1)).toThrow(RangeError);
  counts.addMany(Uint32Array.of(4), Uint32Array.of(2), 1);
  expect([counts.get(2), counts.get(3), counts.get(4)]).toEqual([1, 0, 2]);
});
