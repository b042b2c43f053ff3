import { collectGrams, type ChunkTerms } from './chunk-terms.js';
import { HashList, sortHashes } from './hash-list.js';
import { BitReader, BitWriter } from './term-bits.js';
import { hashTerm, LEGS } from './term-hash.js';
import type { Leg } from './term-hash.js';
import { ByteReader, ByteWriter } from './term-bytes.js';

/** One leg of a chunk as typed arrays. */
export interface EncodedLeg {
  /** Hashes of the distinct terms, ascending. */
  readonly hashes: Uint32Array;
  /** How often each is in the leg, at the same index, 1 to 255. */
  readonly frequencies: Uint8Array;
  /** Length of the leg for length normalisation, in tokens. */
  readonly length: number;
}

/** The terms of a chunk as ranking needs them. */
export type EncodedTerms = Readonly<Record<Leg, EncodedLeg>>;

/**
 * 1: hashes of four bytes; 2: distances between them, mostly of three bytes. Both were written before, and hold n-grams. 3: hashes in
 * some 25 bits, and no n-grams: these are made from the text when someone asks for them.
 */
const PLAIN = 1;
const DISTANCES = 2;
const SHORT = 3;
const MAX_FREQUENCY = 255;

/** Terms of a leg as hashes in any order and with repetitions, and the leg's length. */
export interface HashedLeg {
  readonly hashes: Uint32Array;
  readonly length: number;
}

/** Each distinct hash once with how often it is there; may reorder and overwrite the hashes. */
export function countLeg({ hashes, length }: HashedLeg): EncodedLeg {
  const all = sortHashes(hashes);
  const frequencies = new Uint8Array(all.length);
  let distinct = 0;
  let last = 0;
  for (let index = 0; index < all.length; index += 1) {
    const hash = all[index]!;
    if (hash === last) {
      if (frequencies[distinct - 1]! < MAX_FREQUENCY) frequencies[distinct - 1]! += 1;
    } else {
      all[distinct] = last = hash;
      frequencies[distinct] = 1;
      distinct += 1;
    }
  }
  return { hashes: all.subarray(0, distinct), frequencies: frequencies.subarray(0, distinct), length };
}

/** Terms without n-grams as they are stored; `decodeTerms` makes those from the text. */
export function encodeShort(terms: Pick<EncodedTerms, 'words' | 'title'>): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(SHORT);
  for (const { hashes, frequencies, length } of [terms.words, terms.title]) {
    writer.varint(length);
    writer.varint(hashes.length);
    const bits = new BitWriter(writer);
    bits.ascending(hashes);
    bits.counts(frequencies);
    bits.end();
  }
  return writer.bytes();
}

function hashAll(leg: Leg, terms: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(terms.length);
  for (let index = 0; index < terms.length; index += 1) hashes[index] = hashTerm(leg, terms[index]!);
  return hashes;
}

/**
 * The terms of a chunk in a form that needs no text: per leg its length, the frequencies that are not 1, and the sorted hashes.
 * Some 3.3 bytes a distinct term. The same terms give the same bytes.
 */
export function encodeTerms(terms: ChunkTerms): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(DISTANCES);
  for (const leg of LEGS) {
    const counted = countLeg({ hashes: hashAll(leg, terms[leg]), length: terms.lengths[leg] });
    writer.varint(counted.length);
    writer.varint(counted.hashes.length);
    writer.exceptions(counted.frequencies, 1);
    writer.distances(counted.hashes);
  }
  return writer.bytes();
}

/**
 * The opposite of `encodeTerms` and `encodeChunk`. `text` is what the chunk was encoded with (`chunkText`); its n-grams are made from it
 * when they are asked for, which takes a tenth of a millisecond. Throws a RangeError when the bytes are cut short or of another format,
 * or need a text and there is none.
 */
export function decodeTerms(bytes: Uint8Array, text: string | null = null): EncodedTerms {
  const reader = new ByteReader(bytes);
  const readLeg = legReaderOf(reader);
  const words = readLeg();
  if (bytes[0] !== SHORT) {
    const grams = readLeg();
    return { words, grams, title: readLeg() };
  }
  if (text === null) throw new RangeError('encoded terms need the text of their chunk');
  const title = readLeg();
  let grams: EncodedLeg | undefined;
  return {
    words,
    title,
    get grams() {
      return (grams ??= gramsIn(text));
    },
  };
}

/** The words alone of what `encodeTerms` or `encodeChunk` gave; a third of the work, and no text is needed. @throws RangeError as `decodeTerms` */
export function decodeWords(bytes: Uint8Array): EncodedLeg {
  return legReaderOf(new ByteReader(bytes))();
}

/** Reads the format; each call of what it returns reads the next leg, of which words are the first. */
function legReaderOf(reader: ByteReader): () => EncodedLeg {
  const format = reader.formatOf([PLAIN, DISTANCES, SHORT], 'encoded terms');
  return () => {
    const length = reader.varint();
    const count = reader.varint();
    if (format === SHORT) {
      const bits = new BitReader(reader);
      const hashes = bits.ascending(count);
      return { hashes, frequencies: bits.counts(new Uint8Array(count)), length };
    }
    const frequencies = reader.exceptions(new Uint8Array(count), 1);
    const hashes = format === PLAIN ? reader.hashes(count) : reader.distances(count);
    return { hashes, frequencies, length };
  };
}

function gramsIn(text: string): EncodedLeg {
  const list = new HashList();
  collectGrams(text, { gram: (joined, start, end) => list.push(hashTerm('grams', joined, start, end)) });
  return countLeg({ hashes: list.values(), length: list.size });
}

const HASHES = 2 ** 32;

/**
 * Where a hash is among `count` ascending ones that begin at `first`, from 0; -1 when it does not. Hashes are spread
 * evenly, so the place is guessed and found a few steps away, which is twice as fast as halving.
 */
export function placeIn(hashes: Uint32Array, first: number, count: number, hash: number): number {
  if (count === 0) return -1;
  const end = first + count;
  let index = first + Math.floor((hash / HASHES) * count);
  if (hashes[index]! < hash) {
    do index += 1;
    while (index < end && hashes[index]! < hash);
  } else {
    while (index > first && hashes[index - 1]! >= hash) index -= 1;
  }
  return index < end && hashes[index] === hash ? index - first : -1;
}

/** How often the term with this hash is in the leg; 0 when it does not. */
export function frequencyIn(leg: EncodedLeg, hash: number): number {
  const place = placeIn(leg.hashes, 0, leg.hashes.length, hash);
  return place < 0 ? 0 : leg.frequencies[place]!;
}
