import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk } from './chunk-terms.js';
import { decodeTerms, decodeWords, encodeTerms, frequencyIn } from './encoded-terms.js';
import { encodeChunk } from './encode-chunk.js';
import { BitReader, BitWriter } from './term-bits.js';
import { ByteReader, ByteWriter } from './term-bytes.js';
import { hashTerm, LEGS } from './term-hash.js';

const streams = fc.record({
  words: fc.array(fc.stringMatching(/^[a-d]{1,2}$/), { maxLength: 400 }),
  grams: fc.array(fc.stringMatching(/^[a-z]{4}$/), { maxLength: 60 }),
  title: fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 8 }),
});

describe('encodeTerms', () => {
  it('gives back how often each term is in each leg, and nothing for others', () => {
    fc.assert(
      fc.property(streams, fc.nat(1000), (terms, length) => {
        const lengths = { words: length, grams: terms.grams.length, title: 3 };
        const decoded = decodeTerms(encodeTerms({ ...terms, lengths }));
        for (const leg of LEGS) {
          const counts = new Map<string, number>();
          for (const term of terms[leg]) counts.set(term, (counts.get(term) ?? 0) + 1);
          for (const [term, count] of counts) {
            expect(frequencyIn(decoded[leg], hashTerm(leg, term))).toBe(Math.min(255, count));
          }
          expect(decoded[leg].hashes).toHaveLength(counts.size);
          expect([...decoded[leg].hashes]).toEqual([...decoded[leg].hashes].sort((a, b) => a - b));
          expect(frequencyIn(decoded[leg], hashTerm(leg, 'absent'))).toBe(0);
          expect(decoded[leg].length).toBe(lengths[leg]);
        }
      }),
    );
  });

  it('reads bytes at any alignment, as a database driver hands them out', () => {
    const bytes = encodeTerms(analyzeChunk({ text: 'wind tunnel measurements', title: 'report' }));
    for (let offset = 0; offset < 4; offset += 1) {
      const shifted = new Uint8Array(bytes.length + offset);
      shifted.set(bytes, offset);
      expect(decodeTerms(shifted.subarray(offset))).toEqual(decodeTerms(bytes));
    }
  });

  it('reads what was written before, with hashes of four bytes', () => {
    const leg = (hash: number): number[] => [7, 1, 0, hash, 0, 0, 1];
    const { words, grams, title } = decodeTerms(Uint8Array.of(1, ...leg(5), ...leg(6), ...leg(8)));
    const expected = (hash: number) => ({
      length: 7,
      hashes: Uint32Array.of(0x0100_0000 + hash),
      frequencies: Uint8Array.of(1),
    });
    expect([words, grams, title]).toEqual([expected(5), expected(6), expected(8)]);
  });

  it('gives the words alone, of every format, without the text', () => {
    const [text, title] = ['wind tunnel measurements of wind', 'report'];
    const leg = [7, 1, 0, 5, 0, 0, 1];
    for (const bytes of [
      encodeTerms(analyzeChunk({ text, title })),
      encodeChunk({ text, title }).bytes,
      Uint8Array.of(1, ...leg, ...leg, ...leg),
    ]) {
      expect(decodeWords(bytes)).toEqual(decodeTerms(bytes, text).words);
      expect(() => decodeWords(Uint8Array.of(9, ...bytes.subarray(1)))).toThrow(RangeError);
    }
  });

  it('refuses bytes that are cut short or of another format', () => {
    const bytes = encodeTerms(analyzeChunk({ text: 'wind tunnel measurements' }));
    for (let end = 0; end < bytes.length; end += 1)
      expect(() => decodeTerms(bytes.subarray(0, end))).toThrow(RangeError);
    expect(() => decodeTerms(Uint8Array.of(9, ...bytes.subarray(1)))).toThrow('format 9');
  });

  it('takes no n-grams along where the text gives them, and says so where there is none', () => {
    const text = 'The keeper of the lighthouse counts the lamps every evening, and the lamps count him.';
    const { bytes } = encodeChunk({ text, title: 'lighthouse' });
    const whole = encodeTerms(analyzeChunk({ text, title: 'lighthouse' }));
    expect(bytes.length).toBeLessThan(whole.length / 2);
    const { words, grams, title } = decodeTerms(bytes, text);
    expect({ words, grams, title }).toEqual(decodeTerms(whole));
    expect(() => decodeTerms(bytes)).toThrow('need the text');
    for (let end = 0; end < bytes.length; end += 1)
      expect(() => decodeTerms(bytes.subarray(0, end), text)).toThrow(RangeError);
  });

  it('gives back hashes and counts of any kind in bits', () => {
    const anyHashes = fc.uniqueArray(
      fc.oneof(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 300 })),
    );
    fc.assert(
      fc.property(anyHashes, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (hashes, count) => {
        const sorted = Uint32Array.from(hashes).sort();
        const counts = sorted.map((_, index) => 1 + (index % count));
        const writer = new ByteWriter();
        const bits = new BitWriter(writer);
        bits.ascending(sorted);
        bits.counts(counts);
        bits.end();
        writer.byte(7);
        const reader = new ByteReader(writer.bytes());
        const read = new BitReader(reader);
        expect(read.ascending(sorted.length)).toEqual(sorted);
        expect(read.counts(new Uint32Array(sorted.length))).toEqual(counts);
        expect(reader.byte()).toBe(7);
        const bytes = writer.bytes();
        for (let end = 0; end < bytes.length - 1; end += 1) {
          const cut = new BitReader(new ByteReader(bytes.subarray(0, end)));
          expect(() => {
            cut.ascending(sorted.length);
            cut.counts(new Uint32Array(sorted.length));
          }).toThrow(RangeError);
        }
      }),
    );
  });

  it('gives back many counts that are too long to be read at once', () => {
    const counts = Uint32Array.from({ length: 20_000 }, (_, index) => 2 ** 31 - 1 - index);
    const writer = new ByteWriter();
    const bits = new BitWriter(writer);
    bits.counts(counts);
    bits.end();
    expect(new BitReader(new ByteReader(writer.bytes())).counts(new Uint32Array(counts.length))).toEqual(counts);
  });

  it('keeps the hashes of the legs apart and never 0', () => {
    fc.assert(
      fc.property(fc.string(), (term) => {
        const hashes = LEGS.map((leg) => hashTerm(leg, term));
        expect(new Set(hashes).size).toBe(LEGS.length);
        expect(hashes.every((hash) => Number.isInteger(hash) && hash > 0 && hash < 2 ** 32)).toBe(true);
      }),
    );
    expect(hashTerm('words', 'wind')).toBe(hashTerm('words', 'wind'));
  });
});
