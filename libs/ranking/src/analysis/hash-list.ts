/** A growing list of 32-bit hashes. */
export class HashList {
  private items = new Uint32Array(256);
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(hash: number): void {
    if (this.count === this.items.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.count++] = hash;
  }

  /** The hashes so far: a view, good until the next `push`. */
  values(): Uint32Array {
    return this.items.subarray(0, this.count);
  }
}

/** Shorter lists are sorted faster by comparing. */
const SMALL = 64;
/** A bucket that is fuller than hashes spread evenly make it is sorted by comparing: no text can be made slow to index. */
const FULL_BUCKET = 24;
const MAX_BITS = 16;
const ends = new Uint32Array(1 << MAX_BITS);

/**
 * The hashes in ascending order, in place or in a new array. They are spread evenly, so they are dealt into as many buckets by
 * their leading bits, which nearly sorts them: a third of the time of a sort by comparison.
 */
export function sortHashes(hashes: Uint32Array): Uint32Array {
  const { length } = hashes;
  if (length < SMALL) return hashes.sort();
  const bits = Math.min(31 - Math.clz32(length), MAX_BITS);
  const shift = 32 - bits;
  const buckets = ends.subarray(0, 1 << bits).fill(0);
  for (let index = 0; index < length; index += 1) buckets[hashes[index]! >>> shift]! += 1;
  let sum = 0;
  for (let bucket = 0; bucket < buckets.length; bucket += 1) {
    const count = buckets[bucket]!;
    buckets[bucket] = sum;
    sum += count;
  }
  const sorted = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) {
    const hash = hashes[index]!;
    sorted[buckets[hash >>> shift]!++] = hash;
  }
  let start = 0;
  for (let bucket = 0; bucket < buckets.length; bucket += 1) {
    const end = buckets[bucket]!;
    if (end - start > FULL_BUCKET) sorted.subarray(start, end).sort();
    else if (end - start > 1) insertInOrder(sorted, start, end);
    start = end;
  }
  return sorted;
}

function insertInOrder(hashes: Uint32Array, start: number, end: number): void {
  for (let index = start + 1; index < end; index += 1) {
    const hash = hashes[index]!;
    let at = index;
    for (; at > start && hashes[at - 1]! > hash; at -= 1) hashes[at] = hashes[at - 1]!;
    hashes[at] = hash;
  }
}
