/**
 * Lossless storage of a vector outside of a vector store: float32 numbers, little-endian; or, where all numbers are integers divided by one
 * divisor, as with the built-in model and models with quantised numbers, the distinct integers in ascending order and, for each component, the
 * index of its integer. The length tells the format: for float32 numbers it is a multiple of four, for the other format it is not.
 */

const FORMAT = 1;
/**
 * Format, low bits of a step from one whole number to the next, count of all, count without the zeros at the end (a model that leaves a part of
 * its vectors empty ends in many), count of different ones, divisor.
 */
const HEADER_BYTES = 1 + 1 + 2 + 2 + 2 + 8;
const COUNT_MOST = 0xffff;
/** The smallest number but 0 is tried as 1, 2 and so on up to this many. */
const SMALLEST_MOST = 256;
const GREATEST_MOST = 2 ** 18;
/** Bits of the step to the first whole number from the least that there may be. */
const FIRST_BITS = 20;
/** What rounding to float32 may do to a whole number below `GREATEST_MOST`. */
const ROUNDING = 0.05;

/** Whole numbers that give a vector's numbers when they are divided by `divisor` and rounded to float32. */
interface WholeNumbers {
  readonly numbers: Int32Array;
  readonly divisor: number;
}

/** The bytes in which a vector is kept; `vectorOf` gives the same numbers again. */
export function vectorBytes(vector: Float32Array): Buffer {
  const whole = wholeNumbersOf(vector);
  const coded = whole === undefined ? undefined : encode(whole);
  if (coded !== undefined && coded.length < vector.byteLength) return coded;
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector in such bytes; copies, because a buffer of a driver need not be aligned. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  return bytes.length % 4 === 0 ? new Float32Array(Uint8Array.from(bytes).buffer) : decode(bytes);
}

function wholeNumbersOf(vector: Float32Array): WholeNumbers | undefined {
  let smallest = Infinity;
  for (let index = 0; index < vector.length; index += 1) {
    const size = Math.abs(vector[index]!);
    if (size > 0 && size < smallest) smallest = size;
  }
  if (smallest === Infinity || vector.length > COUNT_MOST) return undefined;
  for (let guess = 1; guess <= SMALLEST_MOST; guess += 1) {
    const unit = smallest / guess;
    if (!areMultiples(unit, vector)) continue;
    const numbers = new Int32Array(vector.length);
    for (let index = 0; index < vector.length; index += 1) numbers[index] = Math.round(vector[index]! / unit);
    const divisor = divisorOf(numbers, vector);
    return isExact(numbers, divisor, vector) ? { numbers, divisor } : undefined;
  }
  return undefined;
}

/** Most guesses are wrong, and seen to be by one of the first numbers. */
function areMultiples(unit: number, vector: Float32Array): boolean {
  for (let index = 0; index < vector.length; index += 1) {
    const quotient = vector[index]! / unit;
    const isMultiple = Math.abs(quotient - Math.round(quotient)) < ROUNDING && Math.abs(quotient) < GREATEST_MOST - 1;
    if (!isMultiple) return false;
  }
  return true;
}

const float = new Float32Array(1);
const bitsOfFloat = new Uint32Array(float.buffer);
const EXPONENT = 0x7f800000;
const HALF_OF_LAST_BIT = 2 ** -24;

/** Half of what the last bit of a float32 number is worth. */
function roundedAway(value: number): number {
  float[0] = value;
  bitsOfFloat[0]! &= EXPONENT;
  return float[0] * HALF_OF_LAST_BIT;
}

/** Each number of the vector, which is rounded, says between which bounds the divisor lies: the middle of what they have in common. */
function divisorOf(numbers: Int32Array, vector: Float32Array): number {
  let [least, most] = [0, Infinity];
  for (let index = 0; index < numbers.length; index += 1) {
    if (numbers[index] === 0) continue;
    const half = roundedAway(vector[index]!);
    const [number, value] = [Math.abs(numbers[index]!), Math.abs(vector[index]!)];
    least = Math.max(least, number / (value + half));
    most = Math.min(most, number / (value - half));
  }
  return (least + most) / 2;
}

function isExact(numbers: Int32Array, divisor: number, vector: Float32Array): boolean {
  for (let index = 0; index < numbers.length; index += 1)
    if (!Object.is(Math.fround(numbers[index]! / divisor), vector[index])) return false;
  return true;
}

/** Appends numbers of up to 20 bits to bytes and reads them, lowest bits first. */
class Bits {
  private held = 0;
  private fill = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  write(value: number, count: number): void {
    this.held |= value << this.fill;
    this.fill += count;
    for (; this.fill >= 8; this.fill -= 8, this.held >>>= 8) this.bytes[this.at++] = this.held;
  }

  /** In Rice's code: the low bits as they are behind as many ones as the rest says, and a zero. */
  writeStep(step: number, lowBits: number): void {
    for (let rest = step >>> lowBits; rest > 0; rest -= 1) this.write(1, 1);
    this.write(0, 1);
    this.write(step & ((1 << lowBits) - 1), lowBits);
  }

  /** Writes what is held of the last byte; gives how many bytes there are. */
  end(): number {
    if (this.fill > 0) this.bytes[this.at++] = this.held;
    return this.at;
  }

  readStep(lowBits: number): number {
    let rest = 0;
    while (this.read(1) === 1) rest += 1;
    return rest * 2 ** lowBits + this.read(lowBits);
  }

  read(count: number): number {
    for (; this.fill < count; this.fill += 8) {
      if (this.at >= this.bytes.length) throw new RangeError('bytes of a vector are cut short');
      this.held |= this.bytes[this.at++]! << this.fill;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.fill -= count;
    return value;
  }
}

/** How many bits the greatest number below `limit` takes. */
function bitsBelow(limit: number): number {
  return limit <= 1 ? 0 : 32 - Math.clz32(limit - 1);
}

/** The different ones of some numbers, ascending. */
function differentOf(numbers: Int32Array): Int32Array {
  const sorted = numbers.slice().sort();
  let count = 0;
  for (let index = 0; index < sorted.length; index += 1)
    if (count === 0 || sorted[index] !== sorted[count - 1]) sorted[count++] = sorted[index]!;
  return sorted.subarray(0, count);
}

/** Where a number is among ascending ones. */
function placeOf(number: number, ascending: Int32Array): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function encode({ numbers: all, divisor }: WholeNumbers): Buffer {
  const numbers = all.subarray(0, all.findLastIndex((number) => number !== 0) + 1);
  const distinct = differentOf(numbers);
  const { length: count } = distinct;
  const lowBits = 31 - Math.clz32(Math.max(1, (distinct[count - 1]! - distinct[0]!) / count));
  const placeBits = bitsBelow(count);
  // What steps have above their low bits is twice their number at most.
  const most = HEADER_BYTES + 4 + (count * (lowBits + 4) + numbers.length * placeBits) / 8;
  const bytes = Buffer.alloc(Math.ceil(most));
  bytes[0] = FORMAT;
  bytes[1] = lowBits;
  bytes.writeUInt16LE(all.length, 2);
  bytes.writeUInt16LE(numbers.length, 4);
  bytes.writeUInt16LE(count, 6);
  bytes.writeDoubleLE(divisor, 8);
  const bits = new Bits(bytes, HEADER_BYTES);
  bits.write(distinct[0]! + GREATEST_MOST, FIRST_BITS);
  for (let place = 1; place < count; place += 1) bits.writeStep(distinct[place]! - distinct[place - 1]!, lowBits);
  for (let index = 0; index < numbers.length; index += 1) bits.write(placeOf(numbers[index]!, distinct), placeBits);
  const length = bits.end();
  return bytes.subarray(0, length % 4 === 0 ? length + 1 : length);
}

function decode(bytes: Uint8Array): Float32Array {
  if (bytes[0] !== FORMAT) throw new RangeError('bytes of a vector of an unknown format');
  if (bytes.length < HEADER_BYTES) throw new RangeError('bytes of a vector are cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lowBits = bytes[1]!;
  const vector = new Float32Array(view.getUint16(2, true));
  const filled = view.getUint16(4, true);
  const values = new Float32Array(view.getUint16(6, true));
  const divisor = view.getFloat64(8, true);
  const bits = new Bits(bytes, HEADER_BYTES);
  let number = -GREATEST_MOST;
  for (let place = 0; place < values.length; place += 1) {
    number += place === 0 ? bits.read(FIRST_BITS) : bits.readStep(lowBits);
    values[place] = number / divisor;
  }
  const placeBits = bitsBelow(values.length);
  for (let index = 0; index < filled; index += 1) vector[index] = values[bits.read(placeBits)]!;
  return vector;
}
