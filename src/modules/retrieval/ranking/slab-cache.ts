/** A block of memory for many records; what was written to it does not change. */
export class Slab {
  readonly words: Uint32Array;
  readonly octets: Uint8Array;
  readonly floats: Float32Array;
  readonly keys: string[] = [];
  used = 0;

  /** `size` in 32-bit words. */
  constructor(readonly size: number) {
    const buffer = new ArrayBuffer(size * 4);
    this.words = new Uint32Array(buffer);
    this.octets = new Uint8Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}

/** Where a record lies: `size` 32-bit words of `slab` from index `at`. It may be read for as long as it is held. */
export interface SlabRecord<Facts> {
  readonly slab: Slab;
  readonly at: number;
  readonly size: number;
  readonly facts: Facts;
}

interface Entry<Facts> {
  record: SlabRecord<Facts>;
  wasRead: boolean;
}

const SLAB_WORDS = 512 * 1024;
/** Size of the objects around a record, in bytes. */
const ENTRY_BYTES = 400;
/** Maximum share of a slab that is moved on when the slab is dropped. */
const KEPT_SHARE = 0.5;

/**
 * A cache of records of numbers, limited in bytes. Records lie in slabs, which the garbage collector neither walks nor moves, and are removed
 * with their slab, the oldest first. A record that was read since it was written is moved to a new slab, once.
 */
export class SlabCache<Facts> {
  private readonly entries = new Map<string, Entry<Facts>>();
  private slabs: Slab[] = [];
  private readonly slabWords: number;

  constructor(private readonly maxBytes: number) {
    this.slabWords = Math.max(1, Math.min(SLAB_WORDS, Math.floor(maxBytes / 4 / 8)));
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.slabs.reduce((sum, { size }) => sum + size * 4, this.entries.size * ENTRY_BYTES);
  }

  get(key: string): SlabRecord<Facts> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    entry.wasRead = true;
    return entry.record;
  }

  /** A record of `size` 32-bit words for the caller to fill at once. One that is too large for the cache is made, but not kept. */
  add(key: string, size: number, facts: Facts): SlabRecord<Facts> {
    if (size > this.slabWords) return { slab: new Slab(size), at: 0, size, facts };
    const record = this.place(size, facts);
    record.slab.keys.push(key);
    this.entries.set(key, { record, wasRead: false });
    return record;
  }

  private place(size: number, facts: Facts): SlabRecord<Facts> {
    let slab = this.slabs.at(-1);
    if (slab === undefined || slab.used + size > slab.size) {
      slab = new Slab(this.slabWords);
      this.slabs.push(slab);
      while (this.slabs.length > 1 && this.bytes > this.maxBytes) this.giveUp(this.slabs.shift()!, slab);
    }
    if (slab.used + size > slab.size) return this.place(size, facts);
    const at = slab.used;
    slab.used += size;
    return { slab, at, size, facts };
  }

  /** Moves what was read into the empty slab `into`, as far as there is room for it, and forgets the rest. */
  private giveUp(old: Slab, into: Slab): void {
    for (const key of old.keys) {
      const entry = this.entries.get(key);
      if (entry === undefined || entry.record.slab !== old) continue;
      const { at, size, facts } = entry.record;
      if (!entry.wasRead || into.used + size > into.size * KEPT_SHARE) {
        this.entries.delete(key);
        continue;
      }
      into.words.set(old.words.subarray(at, at + size), into.used);
      into.keys.push(key);
      this.entries.set(key, { record: { slab: into, at: into.used, size, facts }, wasRead: false });
      into.used += size;
    }
  }
}
