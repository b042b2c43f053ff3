/** Memory in pages of 65,536 bytes. */
interface Pages {
  readonly buffer: ArrayBuffer;
  /** Afterwards `buffer` is another object. @throws RangeError beyond the maximum or what the machine has */
  grow(pages: number): number;
}

/** What of WebAssembly is used here: the types of Node.js do not describe it. */
interface Assembly {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => Pages;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

const assembly = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;

/** Rows are kept in blocks of one page of WebAssembly. */
const BLOCK_BYTES = 65_536;
/** Addresses of the query and of the products in the first page, which holds no rows: room for 16,384 dimensions and 8,192 products. */
const QUERY_AT = 0;
const PRODUCTS_AT = 32_768;
const DIMENSIONS_MOST = 16_384;
/** Addresses have 32 bits, and the address behind the last row must fit, too. */
const BLOCKS_MOST = 65_534;
/** Number of dimensions that are multiplied at once. */
const LANES = 16;
/** Greatest values in a row and in a query: the products of the most dimensions add up to no more than 32 bits. */
const ROW_MOST = 127;
const QUERY_MOST = 1_023;

/** dot-products.wat, assembled, in base64; its spec assembles it again and compares. */
export const DOT_PRODUCTS =
  'AGFzbQEAAAABCQFgBX9/f39/AAISAQZrZXJuZWwGbWVtb3J5AgABAwIBAAcPAQtkb3RQcm9kdWN0cwAACqoBAacBAgJ7A38gBCACQQJ0aiEJAkADQCAEIAlPDQH9DAAAAAAAAAAAAAAAAAAAAAAhBSAAIQcgASADaiEIA0AgAf0ABAAhBiAFIAb9hwEgB/0ABAD9ugEgBv2IASAH/QAEEP26Af2uAf2uASEFIAdBIGohByABQRBqIQEgASAISQ0ACyAEIAX9GwAgBf0bAWogBf0bAiAF/RsDamo2AgAgBEEEaiEEDAALCws=';

type DotProducts = (query: number, rows: number, count: number, stride: number, out: number) => void;

/** Bytes that a row of this many numbers takes. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / LANES) * LANES;
}

/** How many rows of such a stride a block holds; 0 for vectors that are too long to be kept here. */
export function rowsPerBlock(stride: number): number {
  return stride > DIMENSIONS_MOST ? 0 : Math.min(Math.floor(BLOCK_BYTES / stride), BLOCK_BYTES / LANES);
}

/** Bytes that this many vectors take. */
export function bytesOfRows(rows: number, dimensions: number): number {
  const each = rowsPerBlock(strideOf(dimensions));
  return each === 0 ? Number.POSITIVE_INFINITY : Math.ceil(rows / each) * BLOCK_BYTES;
}

/**
 * Memory for vectors with one byte for each dimension, and the comparison of one vector with all rows of a block, 16 dimensions at a
 * time. Grows as blocks are taken, up to `maxBytes`; a block that was given back is taken again.
 */
export class VectorMemory {
  private readonly memory: Pages;
  private readonly multiply: DotProducts;
  private readonly free: number[] = [];
  private blocksMost: number;
  private blocks = 0;

  constructor(readonly maxBytes: number) {
    this.blocksMost = Math.min(BLOCKS_MOST, Math.floor(maxBytes / BLOCK_BYTES));
    this.memory = new assembly.Memory({ initial: 1, maximum: this.blocksMost + 1 });
    const module = new assembly.Module(Buffer.from(DOT_PRODUCTS, 'base64'));
    const { exports } = new assembly.Instance(module, { kernel: { memory: this.memory } });
    this.multiply = exports['dotProducts'] as DotProducts;
  }

  /** Bytes that can still be taken. */
  get freeBytes(): number {
    return (this.blocksMost - this.blocks + this.free.length) * BLOCK_BYTES;
  }

  /** The address of a block; undefined when there is no room. */
  take(): number | undefined {
    const returned = this.free.pop();
    if (returned !== undefined || this.blocks === this.blocksMost) return returned;
    try {
      this.memory.grow(1);
    } catch {
      // The machine has less than the setting allows.
      this.blocksMost = this.blocks;
      return undefined;
    }
    this.blocks += 1;
    return this.blocks * BLOCK_BYTES;
  }

  giveBack(block: number): void {
    this.free.push(block);
  }

  /** Writes a vector as row `row` of a block. Returns the factor by which its products become cosines; 0 for a vector of zeros. */
  writeRow(block: number, row: number, vector: Float32Array): number {
    const stride = strideOf(vector.length);
    const numbers = new Int8Array(this.memory.buffer, block + row * stride, stride);
    const { length, greatest } = sizeOf(vector);
    const factor = length > 0 ? ROW_MOST / greatest : 0;
    for (let at = 0; at < vector.length; at += 1) numbers[at] = Math.round(vector[at]! * factor);
    numbers.fill(0, vector.length);
    return factor === 0 ? 0 : 1 / (factor * length);
  }

  /** Sets the vector that rows are compared with. Returns its part of the factor by which products become cosines. */
  writeQuery(vector: Float32Array): number {
    const numbers = new Int16Array(this.memory.buffer, QUERY_AT, strideOf(vector.length));
    const { length, greatest } = sizeOf(vector);
    const factor = length > 0 ? QUERY_MOST / greatest : 0;
    for (let at = 0; at < vector.length; at += 1) numbers[at] = Math.round(vector[at]! * factor);
    numbers.fill(0, vector.length);
    return factor === 0 ? 0 : 1 / (factor * length);
  }

  /** The products of the query with the first `count` rows of a block; good until the next call. */
  products(block: number, count: number, stride: number): Int32Array {
    this.multiply(QUERY_AT, block, count, stride, PRODUCTS_AT);
    return new Int32Array(this.memory.buffer, PRODUCTS_AT, count);
  }
}

function sizeOf(vector: Float32Array): { readonly length: number; readonly greatest: number } {
  let sum = 0;
  let greatest = 0;
  for (const value of vector) {
    sum += value * value;
    greatest = Math.max(greatest, Math.abs(value));
  }
  // A vector with NaN or infinite numbers is like no other.
  return { length: Number.isFinite(sum) ? Math.sqrt(sum) : 0, greatest };
}
