import { createHash, hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageErrors } from '../object-storage.errors.js';
import type { PutOptions, StoredObject } from '../object-storage.port.js';
import { writePacking } from './packed-file.js';

/** Only the service's own user reads documents. */
export const FILE_MODE = 0o600;

/** Writes a stream into a new file, durably. @throws `storage.object_too_large` */
export async function writeStream(path: string, source: Readable, options: PutOptions): Promise<StoredObject> {
  const meter = new Meter(options.maxBytes);
  let writing = Promise.resolve();
  const write = (pieces: AsyncIterable<Buffer>): Promise<void> => (writing = writePacking(path, FILE_MODE, pieces));
  try {
    await pipeline(source, meter, write, { signal: options.signal });
  } finally {
    // A pipeline that fails does not wait for its end, which may just be making the file.
    await Promise.allSettled([writing]);
  }
  return { sizeBytes: meter.sizeBytes, sha256: meter.sha256() };
}

/** The same for bytes at hand. */
export async function writeBytes(path: string, bytes: Uint8Array, { maxBytes }: PutOptions): Promise<StoredObject> {
  if (bytes.length > maxBytes) throw storageErrors.object_too_large({ maxBytes });
  await writePacking(path, FILE_MODE, Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]));
  return { sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
}

/** Counts and hashes what passes, and stops at the limit. */
class Meter extends Transform {
  sizeBytes = 0;
  private readonly hash = createHash('sha256');

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.maxBytes) {
      done(storageErrors.object_too_large({ maxBytes: this.maxBytes }));
      return;
    }
    this.hash.update(chunk);
    done(null, chunk);
  }

  sha256(): string {
    return this.hash.digest('hex');
  }
}
