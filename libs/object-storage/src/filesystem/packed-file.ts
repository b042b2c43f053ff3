/**
 * Packed files: a header with a mark and the length of the content, then the content as one frame of Zstandard. Texts shrink to a third. A file
 * whose first bytes do not shrink much is stored unpacked, as are all files of an earlier version. No unpacked file begins with the mark, because
 * a file that would is packed.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, Transform, type Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress, zstdCompressSync } from 'node:zlib';

const MARK = Buffer.from('89907a6b1c0d0a00', 'hex');
/** The mark, and the length as a whole number of eight bytes, lowest first. */
const HEAD_BYTES = 16;
/** So much is tried before it is decided. */
const SAMPLE_BYTES = 65_536;
/** Shorter files take a block of the file system in any case. */
const LEAST_BYTES = 4_096;
/** What is tried must become at least so short. */
const WORTH_IT = 0.75;

/** Bytes `start` to `end`, both included. */
interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** Writes a stream into a new file, durably, and packed where that saves enough space. */
export async function writePacking(path: string, mode: number, source: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    const pieces = source[Symbol.asyncIterator]();
    const { sample, first } = await readSample(pieces);
    const all = joined(first, pieces);
    if (isWorthPacking(sample)) await writePacked(file, all);
    else await file.writeFile(all);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Errors reach the last stream, and so does a signal; who destroys that one stops them all. */
const ignore = (): void => undefined;

async function writePacked(file: FileHandle, source: AsyncIterable<Buffer>): Promise<void> {
  let size = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      size += piece.length;
      yield piece;
    }
  }
  const head = Buffer.alloc(HEAD_BYTES);
  await file.write(head);
  await file.writeFile(pipeline(counted, createZstdCompress(), ignore));
  MARK.copy(head);
  head.writeBigUInt64LE(BigInt(size), MARK.length);
  await file.write(head, 0, HEAD_BYTES, 0);
}

async function readSample(pieces: AsyncIterator<Buffer>): Promise<{ sample: Buffer; first: readonly Buffer[] }> {
  const first: Buffer[] = [];
  let length = 0;
  while (length < SAMPLE_BYTES) {
    const next = await pieces.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  return { sample: Buffer.concat(first).subarray(0, SAMPLE_BYTES), first };
}

async function* joined(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function isWorthPacking(sample: Buffer): boolean {
  if (sample.subarray(0, MARK.length).equals(MARK)) return true;
  return sample.length >= LEAST_BYTES && zstdCompressSync(sample).length < sample.length * WORTH_IT;
}

/** A stored file, open for reading. */
export class StoredFile {
  private constructor(
    private readonly file: FileHandle,
    /** Length of what was stored. */
    readonly sizeBytes: number,
    readonly isPacked: boolean,
  ) {}

  /** The caller closes it, or reads its stream to the end or destroys that. */
  static async open(path: string): Promise<StoredFile> {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      const isPacked = bytesRead === HEAD_BYTES && head.subarray(0, MARK.length).equals(MARK);
      const sizeBytes = isPacked ? Number(head.readBigUInt64LE(MARK.length)) : (await file.stat()).size;
      return new StoredFile(file, sizeBytes, isPacked);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** What was stored, or a part of it. */
  read(signal: AbortSignal | undefined, bounds?: Bounds): Readable {
    if (!this.isPacked) return this.file.createReadStream({ autoClose: true, start: 0, signal, ...bounds });
    const packed = this.file.createReadStream({ autoClose: true, start: HEAD_BYTES, signal });
    const unpacked = createZstdDecompress();
    if (bounds === undefined) return pipeline(packed, unpacked, ignore);
    return pipeline(packed, unpacked, new Part(bounds), ignore);
  }
}

/** Passes on a range of the bytes and discards those behind it. */
class Part extends Transform {
  private at = 0;

  constructor(private readonly bounds: Bounds) {
    super();
  }

  override _transform(piece: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void): void {
    const { start, end } = this.bounds;
    const from = Math.max(0, start - this.at);
    const to = Math.min(piece.length, end + 1 - this.at);
    this.at += piece.length;
    if (from < to) done(null, piece.subarray(from, to));
    else done(null);
  }
}
