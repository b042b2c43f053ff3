import { Readable, addAbortSignal } from 'node:stream';
import { parseKeyPrefix, parseObjectKey, type ObjectKey } from '../object-key.js';
import { storageErrors } from '../object-storage.errors.js';
import {
  ObjectStorage,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type PutOptions,
  type StorageCallOptions,
  type StoredObject,
} from '../object-storage.port.js';
import type { UnfinishedUploads } from '../unfinished-uploads.port.js';
import type { LocalCopies } from './local-copies.js';
import type { S3Bucket } from './s3-bucket.js';
import { asStorageError, isOutOfRange } from './s3-failure.js';
import { sendParts } from './s3-upload.js';
import { partBytesFor, UploadParts } from './upload-parts.js';

const SWEEP_BATCH = 100;

/** Objects in a bucket, under their keys as they are. */
export class S3ObjectStorage extends ObjectStorage {
  constructor(
    private readonly bucket: S3Bucket,
    private readonly uploads: UnfinishedUploads,
    private readonly copies: LocalCopies,
  ) {
    super();
  }

  async put(key: ObjectKey, source: Readable | Uint8Array, options: PutOptions): Promise<StoredObject> {
    const { maxBytes, ifAbsent = false, signal } = options;
    const stream = source instanceof Uint8Array ? undefined : source;
    // The error of a source that is destroyed below has been thrown already.
    stream?.on('error', () => undefined);
    const pieces = stream === undefined ? [source as Uint8Array] : stream;
    try {
      const name = parseObjectKey(key);
      signal?.throwIfAborted();
      if (stream !== undefined && signal !== undefined) addAbortSignal(signal, stream);
      const content = new UploadParts(asChunks(pieces), { maxBytes, partBytes: partBytesFor(maxBytes) });
      await sendParts(this.bucket, this.uploads, sourceErrorsOf(content.parts()), { key: name, ifAbsent, signal });
      return content.summary();
    } catch (error) {
      stream?.destroy();
      signal?.throwIfAborted();
      if (error instanceof SourceFailure) throw error.cause;
      throw asStorageError(error);
    }
  }

  async get(key: ObjectKey, range?: ByteRange, options?: StorageCallOptions): Promise<Readable> {
    const name = parseObjectKey(key);
    return this.call(options, async (signal) => {
      if (range !== undefined && range.end !== undefined && range.end < range.start)
        throw await this.outside(name, range);
      try {
        return await this.bucket.get(name, range, signal);
      } catch (error) {
        if (range !== undefined && isOutOfRange(error)) throw await this.outside(name, range);
        throw error;
      }
    });
  }

  async stat(key: ObjectKey, options?: StorageCallOptions): Promise<ObjectStat | null> {
    const name = parseObjectKey(key);
    return this.call(options, (signal) => this.bucket.stat(name, signal));
  }

  async delete(key: ObjectKey, options?: StorageCallOptions): Promise<void> {
    const name = parseObjectKey(key);
    await this.call(options, (signal) => this.bucket.delete(name, signal));
  }

  async *list(prefix: string, options?: StorageCallOptions): AsyncGenerator<ListedObject> {
    parseKeyPrefix(prefix);
    let from: string | undefined;
    do {
      const page = await this.call(options, (signal) => this.bucket.listPage(prefix, from, signal));
      for (const { key, ...stat } of page.objects) {
        const ours = asObjectKey(key);
        if (ours !== undefined) yield { key: ours, ...stat };
      }
      from = page.next;
    } while (from !== undefined);
  }

  async withLocalFile<T>(key: ObjectKey, work: (path: string) => Promise<T>, options?: StorageCallOptions): Promise<T> {
    const source = await this.get(key, undefined, options);
    return this.copies.lend(source, work, options?.signal);
  }

  async ping(options?: StorageCallOptions): Promise<void> {
    await this.call(options, (signal) => this.bucket.ping(signal));
  }

  async removeUnfinished(before: Date): Promise<number> {
    await this.copies.removeStale();
    let removed = 0;
    for (;;) {
      const found = await this.uploads.listBefore(this.bucket.place, before, SWEEP_BATCH);
      for (const upload of found) {
        await this.call(undefined, () => this.bucket.abort(upload.key, upload.uploadId));
        await this.uploads.remove(upload);
        removed += 1;
      }
      if (found.length < SWEEP_BATCH) return removed;
    }
  }

  private async outside(key: ObjectKey, { start }: ByteRange): Promise<Error> {
    const found = await this.bucket.stat(key);
    return found === null
      ? storageErrors.object_not_found({})
      : storageErrors.invalid_range({ start, sizeBytes: found.sizeBytes });
  }

  private async call<T>(
    options: StorageCallOptions | undefined,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    try {
      return await work(signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw asStorageError(error);
    }
  }
}

/** A failure of the source of a `put`, which is the caller's and no matter of the server. */
class SourceFailure extends Error {
  constructor(override readonly cause: unknown) {
    super('the source failed');
  }
}

async function* sourceErrorsOf(parts: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* parts;
  } catch (cause) {
    throw new SourceFailure(cause);
  }
}

async function* asChunks(pieces: Readable | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : (piece as Uint8Array);
}

/** Undefined for an object that this service has not stored. */
function asObjectKey(key: string): ObjectKey | undefined {
  try {
    return parseObjectKey(key);
  } catch {
    return undefined;
  }
}
