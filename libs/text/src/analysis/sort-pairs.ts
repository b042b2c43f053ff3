/** Bits of the keys that one pass sorts by; three passes make 32. */
const BITS = 11;
const PASSES = 3;

/** Numbers side by side: the value at an index belongs to the key at it. */
export interface Pairs {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

/** The pairs by ascending key, those of one key in the order in which they came. May overwrite the arrays and give others back. */
export function sortPairs(pairs: Pairs): Pairs {
  const { length } = pairs.keys;
  let from = pairs;
  let to: Pairs = { keys: new Uint32Array(length), values: new Uint32Array(length) };
  const places = new Uint32Array(1 << BITS);
  for (let pass = 0; pass < PASSES; pass += 1) {
    sortByDigit(from, to, places, pass * BITS);
    [from, to] = [to, from];
  }
  return from;
}

function sortByDigit(from: Pairs, to: Pairs, places: Uint32Array, shift: number): void {
  const mask = (1 << BITS) - 1;
  const { keys, values } = from;
  places.fill(0);
  for (let index = 0; index < keys.length; index += 1) places[(keys[index]! >>> shift) & mask]! += 1;
  let sum = 0;
  for (let digit = 0; digit < places.length; digit += 1) {
    const count = places[digit]!;
    places[digit] = sum;
    sum += count;
  }
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!;
    const place = places[(key >>> shift) & mask]!++;
    to.keys[place] = key;
    to.values[place] = values[index]!;
  }
}
