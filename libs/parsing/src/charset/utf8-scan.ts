import { isAscii, isUtf8 } from 'node:buffer';

const SAMPLE_BYTES = 128 * 1024;
const SAMPLE_PIECE_BYTES = 16 * 1024;

/** What one pass over all bytes of a file says about UTF-8. */
export interface Utf8Findings {
  /** Well-formed sequences of two bytes and more. */
  multiByte: number;
  /** Bytes that belong to no well-formed sequence. */
  malformed: number;
  /** Whether any byte is 0x80 or above. */
  hasHighBytes: boolean;
  /** Pieces of the file that hold bytes above 0x7F, for a statistical detector. */
  sample: Buffer;
}

/** Judges a byte stream, chunk by chunk, with bounded memory. */
export class Utf8Scan {
  private carry: Buffer = Buffer.alloc(0);
  private multiByte = 0;
  private malformed = 0;
  private hasHighBytes = false;
  private readonly sample: Buffer[] = [];
  private sampleBytes = 0;

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
    const { multiByte, malformed, hasHighBytes } = this;
    return { multiByte, malformed, hasHighBytes, sample: Buffer.concat(this.sample) };
  }

  private collect(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.sampleBytes < SAMPLE_BYTES; at += SAMPLE_PIECE_BYTES) {
      const piece = chunk.subarray(at, at + SAMPLE_PIECE_BYTES);
      if (isAscii(piece)) continue;
      this.sample.push(Buffer.from(piece));
      this.sampleBytes += piece.length;
    }
  }

  private count(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const length = sequenceLength(bytes[at]!);
      if (length === 1) {
        at += 1;
      } else if (length > 1 && isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length) {
        this.multiByte += 1;
        at += length;
      } else {
        this.malformed += 1;
        at += 1;
      }
    }
  }
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
