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

/** Bits of a number that can be held at once while there is room for a further byte. */
const HELD_MOST = 24;

/**
 * Reads what a `BitWriter` wrote. Every method throws a RangeError at the end of the bytes. Statistics of a large dataset are some ten
 * million numbers, so the loops work on variables of their own, some bytes ahead; `rest` are the bits of the last byte that was begun.
 */
export class BitReader {
  private held = 0;
  private fill = 0;

  constructor(private readonly reader: ByteReader) {}

  ascending(count: number): Uint32Array {
    const low = lowBitsOf(count);
    // A number of more bits than can be held is read in two steps.
    const [first, second] = low > HELD_MOST ? [STEP, low - STEP] : [low, 0];
    const [firstMask, secondMask, scale] = [(1 << first) - 1, (1 << second) - 1, 2 ** low];
    const hashes = new Uint32Array(count);
    const bytes = this.reader.rest();
    let [held, fill, at, last] = [this.held, this.fill, 0, 0];
    for (let index = 0; index < count; index += 1) {
      let high = 0;
      for (;;) {
        while (fill <= HELD_MOST && at < bytes.length) {
          held |= bytes[at++]! << fill;
          fill += 8;
        }
        const run = Math.min(fill, trailingOnes(held));
        high += run;
        if (run < fill) {
          // A shift by 32 would be none.
          held = run === 31 ? 0 : held >>> (run + 1);
          fill -= run + 1;
          break;
        }
        if (at === bytes.length) throw cutShort();
        held = fill = 0;
      }
      while (fill <= HELD_MOST && at < bytes.length) {
        held |= bytes[at++]! << fill;
        fill += 8;
      }
      if (fill < first) throw cutShort();
      let value = held & firstMask;
      held >>>= first;
      fill -= first;
      if (second > 0) {
        while (fill <= HELD_MOST && at < bytes.length) {
          held |= bytes[at++]! << fill;
          fill += 8;
        }
        if (fill < second) throw cutShort();
        value += (held & secondMask) * 2 ** first;
        held >>>= second;
        fill -= second;
      }
      last += high * scale + value;
      hashes[index] = last;
    }
    this.leave(at, held, fill);
    return hashes;
  }

  /** Fills `target`. */
  counts<T extends Uint8Array | Uint32Array>(target: T): T {
    for (let index = this.shortCounts(target, 0); index < target.length; index = this.shortCounts(target, index + 1))
      target[index] = this.longCount();
    return target;
  }

  /** Those from `index` on as far as each can be held at once; gives the index of the first that cannot. */
  private shortCounts(target: Uint8Array | Uint32Array, from: number): number {
    const bytes = this.reader.rest();
    let [held, fill, at, index] = [this.held, this.fill, 0, from];
    for (; index < target.length; index += 1) {
      while (fill <= HELD_MOST && at < bytes.length) {
        held |= bytes[at++]! << fill;
        fill += 8;
      }
      const length = trailingOnes(held);
      if (length * 2 >= fill) break;
      held >>>= length + 1;
      target[index] = (1 << length) | (held & ((1 << length) - 1));
      held >>>= length;
      fill -= length * 2 + 1;
    }
    this.leave(at, held, fill);
    return index;
  }

  private longCount(): number {
    let length = 0;
    while (this.bit() === 1) length += 1;
    if (length > 31) throw new RangeError('bytes of terms hold no count');
    let value = 0;
    for (let place = 0; place < length; place += 1) value += this.bit() * 2 ** place;
    return 2 ** length + value;
  }

  private bit(): number {
    if (this.fill === 0) {
      this.held = this.reader.byte();
      this.fill = 8;
    }
    const bit = this.held & 1;
    this.held >>>= 1;
    this.fill -= 1;
    return bit;
  }

  /** Gives back the bytes that were read ahead. */
  private leave(at: number, held: number, fill: number): void {
    this.reader.skip(at - (fill >>> 3));
    this.fill = fill & 7;
    this.held = held & ((1 << this.fill) - 1);
  }
}

/** How many ones a number ends with. */
function trailingOnes(value: number): number {
  return value === -1 ? 32 : 31 - Math.clz32(~value & -~value);
}

function cutShort(): RangeError {
  return new RangeError('bytes of terms are cut short');
}
