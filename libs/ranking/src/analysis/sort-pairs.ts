import type { Steps } from '#libs/common';

/** Bits of the keys that one pass sorts by; three passes make 32. */
const BITS = 11;
const PASSES = 3;
const MASK = (1 << BITS) - 1;

/** Numbers side by side: the value at an index belongs to the key at it. */
export interface Pairs {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

/** Pairs that are dealt between two pauses. */
const PAIRS_PER_STEP = 16_384;

/** The pairs by ascending key, those of one key in the order in which they came. May overwrite the arrays and give others back. */
export function* sortPairs(pairs: Pairs): Steps<Pairs> {
  const { length } = pairs.keys;
  let from = pairs;
  let to: Pairs = { keys: new Uint32Array(length), values: new Uint32Array(length) };
  for (let pass = 0; pass < PASSES; pass += 1) {
    yield* sortByDigit(from, to, pass * BITS);
    [from, to] = [to, from];
  }
  return from;
}

function* sortByDigit(from: Pairs, to: Pairs, shift: number): Steps<void> {
  const { length } = from.keys;
  const places = new Uint32Array(1 << BITS);
  for (let start = 0; start < length; start += PAIRS_PER_STEP) {
    countDigits(from.keys.subarray(start, start + PAIRS_PER_STEP), places, shift);
    yield;
  }
  let sum = 0;
  for (let digit = 0; digit < places.length; digit += 1) {
    const count = places[digit]!;
    places[digit] = sum;
    sum += count;
  }
  for (let start = 0; start < length; start += PAIRS_PER_STEP) {
    dealOut(from, to, places, shift, { start, end: Math.min(length, start + PAIRS_PER_STEP) });
    yield;
  }
}

function countDigits(keys: Uint32Array, counts: Uint32Array, shift: number): void {
  for (let index = 0; index < keys.length; index += 1) counts[(keys[index]! >>> shift) & MASK]! += 1;
}

/** Puts each pair to the next place of its digit. */
function dealOut(
  from: Pairs,
  to: Pairs,
  places: Uint32Array,
  shift: number,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const { keys, values } = from;
  for (let index = start; index < end; index += 1) {
    const key = keys[index]!;
    const place = places[(key >>> shift) & MASK]!++;
    to.keys[place] = key;
    to.values[place] = values[index]!;
  }
}
