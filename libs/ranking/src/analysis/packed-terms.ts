import type { EncodedLeg, EncodedTerms } from './encoded-terms.js';
import { LEGS, type Leg } from './term-hash.js';

/** Length and number of hashes, before them. */
const HEADER = 2;

function legSize(count: number): number {
  return HEADER + count + Math.ceil(count / 4);
}

/** How many 32-bit numbers `packTerms` writes. */
export function packedSize(terms: EncodedTerms): number {
  return LEGS.reduce((sum, leg) => sum + legSize(terms[leg].hashes.length), 0);
}

/**
 * Writes the terms of a chunk into a shared stretch of memory from index `at`: leg by leg the length, the number of hashes, the
 * hashes ascending, and a byte for each frequency. A hundred thousand chunks kept like this are no objects to the collector.
 */
export function packTerms(terms: EncodedTerms, target: Uint32Array, at: number): void {
  const octets = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  let next = at;
  for (const leg of LEGS) {
    const { hashes, frequencies, length } = terms[leg];
    target[next] = length;
    target[next + 1] = hashes.length;
    target.set(hashes, next + HEADER);
    octets.set(frequencies, (next + HEADER + hashes.length) * 4);
    next += legSize(hashes.length);
  }
}

/** The terms that were packed at `at`, as views of the same memory. */
export function unpackTerms(packed: Uint32Array, at: number): EncodedTerms {
  const octets = new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  const legs: Partial<Record<Leg, EncodedLeg>> = {};
  let next = at;
  for (const leg of LEGS) {
    const count = packed[next + 1]!;
    const first = next + HEADER;
    const bytes = (first + count) * 4;
    legs[leg] = {
      hashes: packed.subarray(first, first + count),
      frequencies: octets.subarray(bytes, bytes + count),
      length: packed[next]!,
    };
    next += legSize(count);
  }
  return legs as EncodedTerms;
}
