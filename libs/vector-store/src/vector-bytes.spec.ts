import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorBytes, vectorOf } from './vector-bytes.js';

const bitsOf = (vector: Float32Array): number[] => [...new Uint32Array(vector.slice().buffer)];

/** As models make them whose sums are exact: whole numbers, divided by the length of the vector. */
const quantised = fc
  .tuple(fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 1, maxLength: 400 }), fc.constantFrom(1, 32, 1024))
  .filter(([numbers]) => numbers.some((number) => number !== 0))
  .map(([numbers, parts]) => {
    const length = Math.hypot(...numbers.map((number) => number / parts));
    return Float32Array.from(numbers, (number) => number / parts / length);
  });
const any = fc.float32Array({ maxLength: 40 });

describe('vectorBytes', () => {
  it('gives back every bit of any vector', () => {
    fc.assert(
      fc.property(fc.oneof(quantised, any), (vector) => {
        const bytes = vectorBytes(vector);
        expect(bytes.length).toBeLessThanOrEqual(vector.byteLength);
        // A driver's buffers lie anywhere.
        const moved = Buffer.concat([Buffer.of(0), bytes]).subarray(1);
        expect(bitsOf(vectorOf(moved))).toEqual(bitsOf(vector));
      }),
    );
  });

  it('takes a third for whole numbers over one divisor', () => {
    const numbers = Array.from({ length: 384 }, (_, index) => ((index * 37) % 211) - 105);
    const length = Math.hypot(...numbers);
    const bytes = vectorBytes(Float32Array.from(numbers, (number) => number / length));
    expect(bytes.length).toBeLessThan((384 * 4) / 3);
  });

  it('takes nothing for zeros at the end', () => {
    const numbers = Array.from({ length: 384 }, (_, index) => ((index * 37) % 211) - 105);
    const short = Float32Array.from(numbers, (number) => number / 800);
    const long = new Float32Array(896);
    long.set(short);
    expect(vectorBytes(long).length).toBe(vectorBytes(short).length);
    expect(bitsOf(vectorOf(vectorBytes(long)))).toEqual(bitsOf(long));
  });

  it('keeps other numbers as they are', () => {
    const vector = Float32Array.from({ length: 64 }, (_, index) => Math.sin(index + 1));
    expect(vectorBytes(vector)).toEqual(Buffer.from(vector.buffer));
  });

  it('refuses bytes that are cut short or of another format', () => {
    const bytes = vectorBytes(Float32Array.from({ length: 90 }, (_, index) => ((index % 9) - 4) / 8));
    expect(bytes.length % 4).not.toBe(0);
    for (let end = 1; end < bytes.length - 1; end += 1)
      if (end % 4 !== 0) expect(() => vectorOf(bytes.subarray(0, end))).toThrow(RangeError);
    expect(() => vectorOf(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow('unknown format');
  });
});
