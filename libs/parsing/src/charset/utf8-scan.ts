import { isAscii, isUtf8 } from 'node:buffer';

/** Enough for the statistics; they cost some 20 ms. */
const SAMPLE_BYTES = 48 * 1024;
const SAMPLE_PIECE_BYTES = 2 * 1024;

/** What one pass over all bytes of a file says about UTF-8. */
export interface Utf8Findings {
  /** Well-formed sequences of two bytes and more. */
  multiByte: number;
  /** Bytes that belong to no well-formed sequence. */
  malformed: number;
  /** Whether any byte is 0x80 or above. */
  hasHighBytes: boolean;
  /** Surrogates that are encoded like characters, in pairs, as some databases do (CESU-8); part of `malformed`. */
  surrogateBytes: number;
  /** Pieces that hold bytes above 0x7F, from all over the file and in its order, for the statistics. */
  sample: Buffer[];
}

/** Judges a byte stream, chunk by chunk, with bounded memory. */
export class Utf8Scan {
  private carry: Buffer = Buffer.alloc(0);
  private multiByte = 0;
  private malformed = 0;
  private hasHighBytes = false;
  private surrogateBytes = 0;
  private sample: Buffer[] = [];
  private sampleBytes = 0;
  /** Every n-th piece with such bytes is kept; grows with the file. */
  private stride = 1;
  private seen = 0;

  feed(chunk: Buffer): void {
    if (this.carry.length === 0 && isAscii(chunk)) return;
    this.hasHighBytes = true;
    this.collect(chunk);
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const end = completeLength(bytes);
    const whole = bytes.subarray(0, end);
    if (isUtf8(whole)) this.multiByte += countLeads(whole);
    else this.count(whole);
    this.carry = Buffer.from(bytes.subarray(end));
  }

  finish(): Utf8Findings {
    if (this.carry.length > 0) this.malformed += this.carry.length;
    const { multiByte, malformed, surrogateBytes, hasHighBytes, sample } = this;
    return { multiByte, malformed, surrogateBytes, hasHighBytes, sample };
  }

  private collect(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += SAMPLE_PIECE_BYTES) {
      const piece = chunk.subarray(at, at + SAMPLE_PIECE_BYTES);
      if (isAscii(piece)) continue;
      if (this.seen % this.stride === 0) this.keep(piece);
      this.seen += 1;
    }
  }

  /** When the sample is full every second piece makes room for later ones. */
  private keep(piece: Buffer): void {
    this.sample.push(Buffer.from(piece));
    this.sampleBytes += piece.length;
    if (this.sampleBytes < SAMPLE_BYTES) return;
    this.sample = this.sample.filter((_, index) => index % 2 === 0);
    this.sampleBytes = this.sample.reduce((sum, { length }) => sum + length, 0);
    this.stride *= 2;
  }

  private count(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const length = sequenceLength(bytes[at]!);
      if (length === 1) {
        at += 1;
      } else if (length > 1 && isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length) {
        this.multiByte += 1;
        at += length;
      } else if (isSurrogatePair(bytes, at)) {
        this.malformed += 6;
        this.surrogateBytes += 6;
        at += 6;
      } else {
        this.malformed += 1;
        at += 1;
      }
    }
  }
}

/** Whether the six bytes at a place are a surrogate pair whose halves are encoded like characters (CESU-8). */
export function isSurrogatePair(bytes: Buffer, at: number): boolean {
  const isAt = (index: number, second: number): boolean =>
    bytes[index] === 0xed && (bytes[index + 1]! & 0xf0) === second && (bytes[index + 2]! & 0xc0) === 0x80;
  return at + 6 <= bytes.length && isAt(at, 0xa0) && isAt(at + 3, 0xb0);
}

function countLeads(bytes: Buffer): number {
  let leads = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at]! >= 0xc0) leads += 1;
  return leads;
}

/** Length without a sequence that is cut off at the end. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the sequence that a lead byte begins; 0 when it begins none. */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}
