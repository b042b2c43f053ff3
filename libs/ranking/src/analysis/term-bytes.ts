/** Byte forms shared by encoded terms and document summaries: varints, little-endian hashes, sparse small counts. */

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const LONG_DISTANCE = 0xffffff;

/** Appends to a buffer that grows. */
export class ByteWriter {
  private buffer = new Uint8Array(1024);
  private size = 0;

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.size++] = value;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.size++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.size++] = rest;
  }

  /** The values that differ from `usual`, as pairs of distance to the one before and value, after their number. */
  exceptions(values: ArrayLike<number>, usual: number): void {
    let count = 0;
    for (let index = 0; index < values.length; index += 1) if (values[index] !== usual) count += 1;
    this.varint(count);
    let last = 0;
    for (let index = 0; index < values.length; index += 1) {
      if (values[index] === usual) continue;
      this.varint(index - last);
      this.varint(values[index]!);
      last = index;
    }
  }

  /** Ascending hashes as distances to the one before, three bytes each; a distance that needs more is behind three bytes of ones. */
  distances(hashes: Uint32Array): void {
    this.reserve(hashes.length * 7);
    const { buffer } = this;
    let size = this.size;
    let last = 0;
    for (let index = 0; index < hashes.length; index += 1) {
      const distance = hashes[index]! - last;
      last = hashes[index]!;
      const isLong = distance >= LONG_DISTANCE;
      const short = isLong ? LONG_DISTANCE : distance;
      buffer[size] = short;
      buffer[size + 1] = short >>> 8;
      buffer[size + 2] = short >>> 16;
      size += 3;
      if (!isLong) continue;
      for (let shift = 0; shift < 32; shift += 8) buffer[size++] = distance >>> shift;
    }
    this.size = size;
  }

  /** What was written, in a buffer of its own. */
  bytes(): Uint8Array {
    return this.buffer.slice(0, this.size);
  }

  private reserve(more: number): void {
    if (this.size + more <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.size + more));
    grown.set(this.buffer);
    this.buffer = grown;
  }
}

/** Reads what a `ByteWriter` wrote; every method throws a RangeError at the end of the bytes. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Reads the leading byte that names the format of `what`, which must be one of these. */
  formatOf(known: readonly number[], what: string): number {
    const found = this.byte();
    if (!known.includes(found)) throw new RangeError(`${what} of format ${found}, expected ${known.join(' or ')}`);
    return found;
  }

  /** Checks the leading byte that names the format of `what`. */
  format(expected: number, what: string): void {
    this.formatOf([expected], what);
  }

  byte(): number {
    const value = this.bytes[this.position];
    if (value === undefined) throw new RangeError('bytes of terms are cut short');
    this.position += 1;
    return value;
  }

  /** What is left, to be read by someone else, who says with `skip` how far that went. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.position);
  }

  skip(count: number): void {
    this.position += count;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  /** Fills `target` with `usual` and sets the exceptions in it. */
  exceptions<T extends Uint8Array | Uint32Array>(target: T, usual: number): T {
    target.fill(usual);
    const count = this.varint();
    let index = 0;
    for (let done = 0; done < count; done += 1) {
      index += this.varint();
      target[index] = this.varint();
    }
    return target;
  }

  /** `count` hashes that were written as distances. */
  distances(count: number): Uint32Array {
    const { bytes } = this;
    const hashes = new Uint32Array(count);
    let at = this.position;
    let last = 0;
    for (let index = 0; index < count; index += 1) {
      if (at + 3 > bytes.length) throw new RangeError('bytes of terms are cut short');
      let distance = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      at += 3;
      if (distance === LONG_DISTANCE) {
        if (at + 4 > bytes.length) throw new RangeError('bytes of terms are cut short');
        distance = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
        at += 4;
      }
      last += distance;
      hashes[index] = last;
    }
    this.position = at;
    return hashes;
  }

  /** `count` hashes, as a view of the bytes where they are aligned, else as a copy. */
  hashes(count: number): Uint32Array {
    const start = this.bytes.byteOffset + this.position;
    const size = count * 4;
    if (this.position + size > this.bytes.length) throw new RangeError('bytes of terms are cut short');
    this.position += size;
    if (LITTLE_ENDIAN && start % 4 === 0) return new Uint32Array(this.bytes.buffer, start, count);
    if (LITTLE_ENDIAN) return new Uint32Array(this.bytes.buffer.slice(start, start + size));
    const view = new DataView(this.bytes.buffer, start, size);
    return Uint32Array.from({ length: count }, (_, index) => view.getUint32(index * 4, true));
  }
}
