import { createHash, hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageErrors } from '../object-storage.errors.js';
import type { PutOptions, StoredObject } from '../object-storage.port.js';

/** Only the service's own user reads documents. */
export const FILE_MODE = 0o600;

/** Writes what a stream brings into a new file, durably. @throws `storage.object_too_large` */
export async function writeStream(path: string, source: Readable, options: PutOptions): Promise<StoredObject> {
  const meter = new Meter(options.maxBytes);
  const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true });
  await pipeline(source, meter, file, { signal: options.signal });
  return { sizeBytes: meter.sizeBytes, sha256: meter.sha256() };
}

/** The same for bytes at hand. */
export async function writeBytes(path: string, bytes: Uint8Array, { maxBytes }: PutOptions): Promise<StoredObject> {
  if (bytes.length > maxBytes) throw storageErrors.object_too_large({ maxBytes });
  await writeFile(path, bytes, { flag: 'wx', mode: FILE_MODE, flush: true });
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
