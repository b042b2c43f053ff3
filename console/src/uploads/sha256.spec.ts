import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Sha256 } from './sha256.js';

const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function sumOf(bytes: Uint8Array, piece = bytes.length || 1): string {
  const sum = new Sha256();
  for (let from = 0; from < bytes.length; from += piece) sum.update(bytes.subarray(from, from + piece));
  return sum.hex();
}

describe('the sum of a file', () => {
  it('is that of the standard, for every length around the ends of blocks', () => {
    for (let length = 0; length <= 260; length += 1) {
      const bytes = randomBytes(length);
      expect([length, sumOf(bytes)]).toEqual([length, expected(bytes)]);
    }
  });

  it('is the same in whatever pieces the bytes come', () => {
    const bytes = randomBytes(10_007);
    for (const piece of [1, 7, 63, 64, 65, 128, 1000, 4096]) {
      expect([piece, sumOf(bytes, piece)]).toEqual([piece, expected(bytes)]);
    }
  });

  it('counts more bits than fit into a word', () => {
    const million = new Uint8Array(1_000_000).fill(0x61);
    expect(sumOf(million)).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
  });
});
