/**
 * Reads the format in which static models keep their rows. Has no syntax that is more than types and imports no file of ours but types, since a
 * thread loads it from the sources as from the build.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A table of numbers, row by row. */
export interface Tensor {
  readonly shape: readonly number[];
  /** The number at a place, counted through all rows. */
  readonly at: (index: number) => number;
}

type Reader = (bytes: ArrayBuffer) => (index: number) => number;

const of =
  (Kind: new (bytes: ArrayBuffer) => ArrayLike<number>): Reader =>
  (bytes) => {
    const numbers = new Kind(bytes);
    return (index) => numbers[index]!;
  };

/** How the numbers of each type are read, and how many bytes one has. */
const TYPES: Readonly<Record<string, readonly [size: number, read: Reader]>> = {
  F64: [8, of(Float64Array)],
  F32: [4, of(Float32Array)],
  F16: [2, halves],
  BF16: [2, upperHalves],
  I64: [8, longs],
  I32: [4, of(Int32Array)],
  I8: [1, of(Int8Array)],
  U8: [1, of(Uint8Array)],
};

/** No header of a model with a few tables is longer. */
const MOST_HEADER_BYTES = 16 * 1024 * 1024;
const LENGTH_BYTES = 8;
const READ_BYTES = 64 * 1024 * 1024;

/** The tables of a file by name. @throws Error that says what is wrong with it */
export function readTensors(path: string, wanted: readonly string[]): ReadonlyMap<string, Tensor> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const length = size < LENGTH_BYTES ? -1 : Number(new DataView(read(file, 0, LENGTH_BYTES)).getBigUint64(0, true));
    const start = LENGTH_BYTES + length;
    if (length < 2 || length > MOST_HEADER_BYTES || start > size) throw broken('its header has no sane length');
    const header = parse(read(file, LENGTH_BYTES, length));
    const found = wanted.filter((name) => Object.hasOwn(header, name));
    return new Map(found.map((name) => [name, readTensor(file, name, header[name], { start, size })]));
  } finally {
    closeSync(file);
  }
}

interface Body {
  /** Where the numbers of all tables begin. */
  readonly start: number;
  /** Bytes of the file. */
  readonly size: number;
}

function readTensor(file: number, name: string, entry: unknown, { start, size }: Body): Tensor {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const type = typeof dtype === 'string' && Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : undefined;
  if (type === undefined) throw broken(`${name} is of the type ${String(dtype)}, which is not read here`);
  if (!isNumbers(shape) || !isNumbers(offsets) || offsets.length !== 2) throw broken(`${name} is not described`);
  const [from, to] = offsets as [number, number];
  const numbers = shape.reduce((product, length) => product * length, 1);
  if (to - from !== numbers * type[0] || start + to > size) throw broken(`${name} is not as long as its shape says`);
  return { shape, at: type[1](read(file, start + from, to - from)) };
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && (one as number) >= 0);

function parse(bytes: ArrayBuffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw broken('its header is no JSON object');
}

/** In pieces, since the system reads no more than two gigabytes at once. */
function read(file: number, from: number, length: number): ArrayBuffer {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = readSync(file, bytes, at, Math.min(READ_BYTES, length - at), from + at);
    if (count === 0) throw broken('it was cut while it was read');
    at += count;
  }
  return bytes.buffer;
}

function broken(what: string): Error {
  return new Error(`model.safetensors cannot be used: ${what}`);
}

function longs(bytes: ArrayBuffer): (index: number) => number {
  const numbers = new BigInt64Array(bytes);
  return (index) => Number(numbers[index]);
}

/** bfloat16: the upper half of a 32-bit number. */
function upperHalves(bytes: ArrayBuffer): (index: number) => number {
  const upper = new Uint16Array(bytes);
  const bits = new Uint32Array(1);
  const number = new Float32Array(bits.buffer);
  return (index) => {
    bits[0] = upper[index]! << 16;
    return number[0]!;
  };
}

/** IEEE 754 binary16: sign, 5 bits of exponent, 10 of fraction. */
function halves(bytes: ArrayBuffer): (index: number) => number {
  const numbers = new Uint16Array(bytes);
  return (index) => {
    const half = numbers[index]!;
    const [exponent, fraction] = [(half >> 10) & 0x1f, half & 0x3ff];
    const size =
      exponent === 0x1f
        ? fraction === 0
          ? Infinity
          : NaN
        : exponent === 0
          ? fraction * 2 ** -24
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    return half & 0x8000 ? -size : size;
  };
}
