/**
 * Bit codes within the bytes of terms. Ascending hashes are written as the distances between them, in Rice's code: hashes are spread
 * evenly, and of numbers with such distances no code takes less by more than a thirtieth. Small counts are written in Elias' gamma code,
 * 1 in one bit. Lowest bits first.
 */
import type { ByteReader, ByteWriter } from './term-bytes.js';

const HASHES = 2 ** 32;
/** Bits that are written or read in one step. */
const STEP = 16;

/** The square root of two times the natural logarithm of two, by which the code is chosen that takes least for a mean distance. */
const BEST = 0.98;

/** How many low bits of a distance are written as they are, when `count` hashes share the range. */
function lowBitsOf(count: number): number {
  return 31 - Math.clz32(Math.floor((HASHES / (count + 1)) * BEST));
}

/** Appends bits to a writer of bytes; `end` fills the last byte. */
export class BitWriter {
  private held = 0;
  private fill = 0;

  constructor(private readonly writer: ByteWriter) {}

  /** Hashes in strictly ascending order, none of them 0. */
  ascending(hashes: Uint32Array): void {
    const low = lowBitsOf(hashes.length);
    let last = 0;
    for (let index = 0; index < hashes.length; index += 1) {
      const distance = hashes[index]! - last;
      last = hashes[index]!;
      this.ones(distance >>> low);
      this.bits(distance, low);
    }
  }

  /** Numbers from 1. */
  counts(values: ArrayLike<number>): void {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index]!;
      const length = 31 - Math.clz32(value);
      this.ones(length);
      this.bits(value, length);
    }
  }

  end(): void {
    if (this.fill > 0) this.writer.byte(this.held);
    this.held = this.fill = 0;
  }

  /** This many ones and a zero. */
  private ones(count: number): void {
    let rest = count;
    for (; rest >= STEP; rest -= STEP) this.step(0xffff, STEP);
    this.step((1 << rest) - 1, rest + 1);
  }

  /** The lowest `count` bits of a number, at most 31. */
  private bits(value: number, count: number): void {
    if (count <= STEP) {
      this.step(value & ((1 << count) - 1), count);
      return;
    }
    this.step(value & 0xffff, STEP);
    this.step((value >>> STEP) & ((1 << (count - STEP)) - 1), count - STEP);
  }

  private step(value: number, count: number): void {
    this.held |= value << this.fill;
    this.fill += count;
    while (this.fill >= 8) {
      this.writer.byte(this.held & 0xff);
      this.held >>>= 8;
      this.fill -= 8;
    }
  }
}

/** Reads what a `BitWriter` wrote. Every method throws a RangeError at the end of the bytes. */
export class BitReader {
  private held = 0;
  private fill = 0;

  constructor(private readonly reader: ByteReader) {}

  ascending(count: number): Uint32Array {
    const low = lowBitsOf(count);
    const hashes = new Uint32Array(count);
    let last = 0;
    for (let index = 0; index < count; index += 1) {
      const high = this.ones();
      last += high * 2 ** low + this.bits(low);
      hashes[index] = last;
    }
    return hashes;
  }

  /** Fills `target`. */
  counts<T extends Uint8Array | Uint32Array>(target: T): T {
    for (let index = 0; index < target.length; index += 1) {
      const length = this.ones();
      if (length > 31) throw new RangeError('bytes of terms hold no count');
      target[index] = 2 ** length + this.bits(length);
    }
    return target;
  }

  private ones(): number {
    let count = 0;
    for (;;) {
      if (this.fill === 0) this.load();
      const run = Math.min(this.fill, 31 - Math.clz32(~this.held & -~this.held));
      this.held >>>= run;
      this.fill -= run;
      count += run;
      if (this.fill === 0) continue;
      this.held >>>= 1;
      this.fill -= 1;
      return count;
    }
  }

  private bits(count: number): number {
    if (count > STEP) return this.bits(STEP) + this.bits(count - STEP) * 2 ** STEP;
    while (this.fill < count) this.load();
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.fill -= count;
    return value;
  }

  private load(): void {
    this.held |= this.reader.byte() << this.fill;
    this.fill += 8;
  }
}
