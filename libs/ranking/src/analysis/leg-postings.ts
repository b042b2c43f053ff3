import type { Steps } from '#libs/common';
import { placeIn, type EncodedLeg } from './encoded-terms.js';
import { sortPairs, type Pairs } from './sort-pairs.js';

/** The most chunks that one `LegPostings` can hold: their numbers take 16 bits. */
export const POSTINGS_CHUNKS_MAX = 65_536;
const FREQUENCY_BITS = 8;
const MAX_FREQUENCY = 255;
/** Postings that are written between two pauses, some more when a chunk or a term has more. */
const POSTINGS_PER_STEP = 16_384;

/** Postings with where their chunks go: by number the new one, -1 for a chunk that is left out. */
export interface MovedPostings {
  readonly postings: LegPostings;
  readonly numbers: Int32Array;
}

/** Terms of some `LegPostings`, and where it has them. */
export interface PresentTerms {
  /** Ascending, each once. */
  readonly hashes: Uint32Array;
  readonly places: Uint32Array;
}

/** Hashes, starts, numbers, frequencies and lengths of `LegPostings`. */
export type PostingArrays = readonly [Uint32Array, Uint32Array, Uint16Array, Uint8Array, Uint32Array];

/**
 * One leg of many chunks turned around: by term the chunks that hold it, and how often. Chunks are numbered from 0. Never changes;
 * some three bytes for each distinct term of a chunk, and eight for each distinct term of all.
 */
export class LegPostings {
  private constructor(
    /** Hashes of the distinct terms, ascending. */
    readonly hashes: Uint32Array,
    /** Where the postings of the term at an index begin; one more entry is where the last ones end. */
    readonly starts: Uint32Array,
    /** The chunks of the postings, ascending within a term. */
    readonly numbers: Uint16Array,
    /** How often the term is in the chunk, at the same index, 1 to 255. */
    readonly frequencies: Uint8Array,
    /** Length of the leg by chunk, for length normalisation, in tokens. */
    readonly lengths: Uint32Array,
  ) {}

  /** Of chunks in the order of their numbers. */
  static *of(legs: readonly EncodedLeg[]): Steps<LegPostings> {
    const pairs = emptyPairs(legs.reduce((sum, { hashes }) => sum + hashes.length, 0));
    const step = new StepCounter();
    let filled = 0;
    for (const [number, { hashes, frequencies }] of legs.entries()) {
      pairs.keys.set(hashes, filled);
      for (let index = 0; index < hashes.length; index += 1)
        pairs.values[filled + index] = (number << FREQUENCY_BITS) | frequencies[index]!;
      filled += hashes.length;
      if (step.isOver(hashes.length)) yield;
    }
    return yield* LegPostings.from(
      pairs,
      Uint32Array.from(legs, ({ length }) => length),
    );
  }

  /** Of several as one with `count` chunks. */
  static *merge(parts: readonly MovedPostings[], count: number): Steps<LegPostings> {
    const pairs = emptyPairs(parts.reduce((sum, { postings }) => sum + postings.numbers.length, 0));
    const lengths = new Uint32Array(count);
    let filled = 0;
    for (const { postings, numbers } of parts) {
      filled = yield* postings.copyTo(pairs, filled, numbers);
      postings.lengths.forEach((length, number) => {
        if (numbers[number]! >= 0) lengths[numbers[number]!] = length;
      });
    }
    return yield* LegPostings.from(
      { keys: pairs.keys.subarray(0, filled), values: pairs.values.subarray(0, filled) },
      lengths,
    );
  }

  private static *from(pairs: Pairs, lengths: Uint32Array): Steps<LegPostings> {
    const { keys, values } = yield* sortPairs(pairs);
    const numbers = new Uint16Array(keys.length);
    const frequencies = new Uint8Array(keys.length);
    let distinct = 0;
    for (let start = 0; start < keys.length; start += POSTINGS_PER_STEP) {
      const end = Math.min(keys.length, start + POSTINGS_PER_STEP);
      for (let index = start; index < end; index += 1) {
        numbers[index] = values[index]! >>> FREQUENCY_BITS;
        frequencies[index] = values[index]! & MAX_FREQUENCY;
        if (index === 0 || keys[index] !== keys[index - 1]) distinct += 1;
      }
      yield;
    }
    const hashes = new Uint32Array(distinct);
    const starts = new Uint32Array(distinct + 1);
    let place = 0;
    for (let start = 0; start < keys.length; start += POSTINGS_PER_STEP) {
      const end = Math.min(keys.length, start + POSTINGS_PER_STEP);
      for (let index = start; index < end; index += 1) {
        if (index > 0 && keys[index] === keys[index - 1]) continue;
        hashes[place] = keys[index]!;
        starts[place] = index;
        place += 1;
      }
      yield;
    }
    starts[distinct] = keys.length;
    return new LegPostings(hashes, starts, numbers, frequencies, lengths);
  }

  /** Those that were kept as `arrays`. */
  static ofArrays([hashes, starts, numbers, frequencies, lengths]: PostingArrays): LegPostings {
    return new LegPostings(hashes, starts, numbers, frequencies, lengths);
  }

  /** Everything that they are made of. */
  get arrays(): PostingArrays {
    return [this.hashes, this.starts, this.numbers, this.frequencies, this.lengths];
  }

  get bytes(): number {
    return (
      this.hashes.byteLength +
      this.starts.byteLength +
      this.numbers.byteLength +
      this.frequencies.byteLength +
      this.lengths.byteLength
    );
  }

  /** Those of the terms with these hashes (ascending, each once) that any chunk holds: looked for once for all chunks. */
  presentOf(among: Uint32Array): PresentTerms {
    const found = Array.from(among, (hash) => placeIn(this.hashes, 0, this.hashes.length, hash));
    return {
      hashes: among.filter((_, at) => found[at]! >= 0),
      places: Uint32Array.from(found.filter((at) => at >= 0)),
    };
  }

  /** What is known of one chunk when only these terms are looked at. */
  legOf(number: number, present: PresentTerms): EncodedLeg {
    const hashes = new Uint32Array(present.places.length);
    const frequencies = new Uint8Array(present.places.length);
    let count = 0;
    for (let at = 0; at < present.places.length; at += 1) {
      const frequency = this.frequencyAt(present.places[at]!, number);
      if (frequency === 0) continue;
      hashes[count] = present.hashes[at]!;
      frequencies[count] = frequency;
      count += 1;
    }
    return {
      hashes: hashes.subarray(0, count),
      frequencies: frequencies.subarray(0, count),
      length: this.lengths[number]!,
    };
  }

  private frequencyAt(place: number, number: number): number {
    let low = this.starts[place]!;
    let high = this.starts[place + 1]!;
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.numbers[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low < end && this.numbers[low] === number ? this.frequencies[low]! : 0;
  }

  private *copyTo(pairs: Pairs, from: number, moved: Int32Array): Steps<number> {
    const step = new StepCounter();
    let filled = from;
    for (let place = 0; place < this.hashes.length; place += 1) {
      const [first, end] = [this.starts[place]!, this.starts[place + 1]!];
      for (let at = first; at < end; at += 1) {
        const number = moved[this.numbers[at]!]!;
        if (number < 0) continue;
        pairs.keys[filled] = this.hashes[place]!;
        pairs.values[filled] = (number << FREQUENCY_BITS) | this.frequencies[at]!;
        filled += 1;
      }
      if (step.isOver(end - first)) yield;
    }
    return filled;
  }
}

/** Tells when so much has been done that it is time for a pause. */
class StepCounter {
  private done = 0;

  isOver(postings: number): boolean {
    this.done += postings;
    if (this.done < POSTINGS_PER_STEP) return false;
    this.done = 0;
    return true;
  }
}

function emptyPairs(length: number): Pairs {
  return { keys: new Uint32Array(length), values: new Uint32Array(length) };
}
