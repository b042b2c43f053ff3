import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashList, sortHashes } from './hash-list.js';

describe('sortHashes', () => {
  const hash = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const crowded = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constantFrom(2 ** 32 - 1, 2 ** 31, 2 ** 31 - 1));

  it('sorts any hashes as a sort by comparison does, spread evenly or crowded into one bucket', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hash, crowded), { maxLength: 700, size: 'max' }), (hashes) => {
        expect([...sortHashes(Uint32Array.from(hashes))]).toEqual([...Uint32Array.from(hashes).sort()]);
      }),
    );
    const many = Uint32Array.from({ length: 200_000 }, (_, index) => Math.imul(index, 0x9e3779b1));
    expect(sortHashes(many.slice())).toEqual(many.slice().sort());
  });
});

describe('HashList', () => {
  it('keeps what was pushed beyond its first capacity', () => {
    const list = new HashList();
    for (let index = 0; index < 1_000; index += 1) list.push(index);
    expect(list.size).toBe(1_000);
    expect([...list.values()]).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });
});
