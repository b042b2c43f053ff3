import { createHash } from 'node:crypto';
import { storageErrors } from '../object-storage.errors.js';
import type { StoredObject } from '../object-storage.port.js';

const MIB = 1024 * 1024;
const MIN_PART_BYTES = 8 * MIB;
const MAX_PART_BYTES = 64 * MIB;
/** S3 takes 10,000 parts; some are left, because pieces do not end where parts end. */
const MOST_PARTS = 9_900;

/** The size of the parts of an object that may have this many bytes: all but the last are equally long, which some servers ask for. */
export function partBytesFor(maxBytes: number): number {
  const needed = Math.ceil(maxBytes / MOST_PARTS);
  return Math.min(MAX_PART_BYTES, Math.max(MIN_PART_BYTES, needed));
}

/** Cuts what a stream brings into parts, and hashes and counts it on the way. Holds one part at a time. */
export class UploadParts {
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly limits: { readonly maxBytes: number; readonly partBytes: number },
  ) {}

  /** Parts of exactly `partBytes`; the last may be shorter, and is empty only when there is no other. Throws `storage.object_too_large`. */
  async *parts(): AsyncGenerator<Buffer, void, undefined> {
    const { partBytes } = this.limits;
    let held: Buffer[] = [];
    let length = 0;
    let given = 0;
    for await (const piece of this.source) {
      this.count(piece);
      let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      while (length + rest.length >= partBytes) {
        const taken = partBytes - length;
        yield Buffer.concat([...held, rest.subarray(0, taken)], partBytes);
        given += 1;
        rest = rest.subarray(taken);
        held = [];
        length = 0;
      }
      if (rest.length === 0) continue;
      held.push(rest);
      length += rest.length;
    }
    if (length > 0 || given === 0) yield Buffer.concat(held, length);
  }

  /** What all parts together are; call it after the last. */
  summary(): StoredObject {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }

  private count(piece: Uint8Array): void {
    this.sizeBytes += piece.length;
    const { maxBytes } = this.limits;
    if (this.sizeBytes > maxBytes) throw storageErrors.object_too_large({ maxBytes });
    this.hash.update(piece);
  }
}
