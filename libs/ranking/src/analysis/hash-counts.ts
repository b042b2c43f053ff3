const SMALLEST = 64;
/** Keys that are added without looking at the size of the table. */
const KEYS_AT_ONCE = 4_096;

/**
 * Counts by 32-bit hash in open addressing over two typed arrays: a `Map` of a million numbers takes five times as much.
 * Keys must not be 0. A key whose count fell to 0 keeps its slot until the table is rebuilt.
 */
export class HashCounts {
  private keys = new Uint32Array(SMALLEST);
  private values = new Uint32Array(SMALLEST);
  private used = 0;
  private live = 0;
  /** Keys are hashes: their leading bits are their slots, so that many in ascending order go through memory in order. */
  private shift = Math.clz32(SMALLEST - 1);

  /** Keys with a count above 0. */
  get size(): number {
    return this.live;
  }

  get(key: number): number {
    return this.values[this.slotOf(key)]!;
  }

  /** Adds `sign` times the amount at the same index to the count of each key, and gives the sum. Ascending
   * keys are fastest. @throws RangeError for a count that would fall below 0 */
  addMany(keys: Uint32Array, amounts: Uint32Array, sign: 1 | -1): number {
    let sum = 0;
    for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
      const end = Math.min(keys.length, start + KEYS_AT_ONCE);
      if ((this.used + end - start) * 3 > this.keys.length * 2) this.rebuild(end - start);
      sum += this.addSome(keys, amounts, sign, start, end);
      if (this.keys.length > SMALLEST && this.live * 8 < this.keys.length) this.rebuild();
    }
    return sum;
  }

  /** There is room for all of them. */
  private addSome(added: Uint32Array, amounts: Uint32Array, sign: 1 | -1, start: number, end: number): number {
    const { keys, values, shift } = this;
    const mask = keys.length - 1;
    let [used, live, sum] = [0, 0, 0];
    for (let index = start; index < end; index += 1) {
      const key = added[index]!;
      let slot = key >>> shift;
      while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
      const before = values[slot]!;
      const after = before + sign * amounts[index]!;
      if (after < 0) {
        this.used += used;
        this.live += live;
        throw new RangeError('a count cannot fall below 0');
      }
      sum += sign * amounts[index]!;
      if (before === 0) {
        if (after === 0) continue;
        if (keys[slot] === 0) {
          keys[slot] = key;
          used += 1;
        }
        live += 1;
      } else if (after === 0) live -= 1;
      values[slot] = after;
    }
    this.used += used;
    this.live += live;
    return sum;
  }

  /** Keys with a count above 0, in no order, and their counts. */
  entries(): { readonly hashes: Uint32Array; readonly counts: Uint32Array } {
    const [hashes, counts] = [new Uint32Array(this.live), new Uint32Array(this.live)];
    let filled = 0;
    for (let slot = 0; slot < this.keys.length; slot += 1) {
      if (this.values[slot] === 0) continue;
      hashes[filled] = this.keys[slot]!;
      counts[filled] = this.values[slot]!;
      filled += 1;
    }
    return { hashes, counts };
  }

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = key >>> this.shift;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  /** Makes room for this many further keys. */
  private rebuild(further = 0): void {
    const { keys, values } = this;
    let capacity = SMALLEST;
    while (this.live * 2 > capacity || (this.live + further) * 3 > capacity * 2) capacity *= 2;
    this.shift = Math.clz32(capacity - 1);
    this.keys = new Uint32Array(capacity);
    this.values = new Uint32Array(capacity);
    this.used = this.live;
    for (let slot = 0; slot < keys.length; slot += 1) {
      if (values[slot] === 0) continue;
      const target = this.slotOf(keys[slot]!);
      this.keys[target] = keys[slot]!;
      this.values[target] = values[slot]!;
    }
  }
}
