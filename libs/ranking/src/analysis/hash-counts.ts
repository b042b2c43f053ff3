const SMALLEST = 64;

/**
 * Counts by 32-bit hash in open addressing over two typed arrays: a `Map` of a million numbers takes five times as much.
 * Keys must not be 0. A key whose count fell to 0 keeps its slot until the table is rebuilt.
 */
export class HashCounts {
  private keys = new Uint32Array(SMALLEST);
  private values = new Uint32Array(SMALLEST);
  private used = 0;
  private live = 0;

  /** Keys with a count above 0. */
  get size(): number {
    return this.live;
  }

  get(key: number): number {
    return this.values[this.slotOf(key)]!;
  }

  /** Adds `amount`, which may be negative but must not bring the count below 0. */
  add(key: number, amount: number): void {
    const slot = this.slotOf(key);
    const before = this.values[slot]!;
    const after = before + amount;
    if (after < 0) throw new RangeError('a count cannot fall below 0');
    if (before === 0 && after === 0) return;
    if (this.keys[slot] === 0) {
      this.keys[slot] = key;
      this.used += 1;
    }
    this.values[slot] = after;
    this.live += Number(after > 0) - Number(before > 0);
    if (this.used * 3 > this.keys.length * 2 || (this.keys.length > SMALLEST && this.live * 8 < this.keys.length))
      this.rebuild();
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
    let slot = key & mask;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private rebuild(): void {
    const { keys, values } = this;
    let capacity = SMALLEST;
    while (this.live * 2 > capacity) capacity *= 2;
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
