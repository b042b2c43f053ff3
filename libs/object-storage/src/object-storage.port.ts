import type { Readable } from 'node:stream';
import type { ObjectKey } from './object-key.js';

export interface StorageCallOptions {
  /** Stops the call, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal;
}

export interface PutOptions extends StorageCallOptions {
  /** Maximum number of bytes; more are refused with `storage.object_too_large`. */
  readonly maxBytes: number;
  /** Refuses with `storage.object_exists` when an object with this key exists. Default: replaces it. */
  readonly ifAbsent?: boolean;
}

export interface StoredObject {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal SHA-256 of the bytes stored. */
  readonly sha256: string;
}

export interface ObjectStat {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export interface ListedObject extends ObjectStat {
  readonly key: ObjectKey;
}

/** Bytes `start` to `end`, counted from 0 and both included; without `end` up to the last byte. An `end` beyond the last byte means the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** Stores the originals. Injection token. Implementations must pass `describeObjectStorage`. */
export abstract class ObjectStorage {
  /**
   * Stores bytes under the key: those of a stream, without holding them in memory, or a buffer of the caller. When the promise resolves they are
   * durable. The object appears whole or not at all, also after a crash, and replaces one with the same key. After a failure the key holds what
   * it held before, and a source stream is destroyed.
   * @throws `storage.object_too_large`, `storage.object_exists`, `storage.low`, `storage.unavailable`; the source's own error; the signal's reason.
   */
  abstract put(key: ObjectKey, source: Readable | Uint8Array, options: PutOptions): Promise<StoredObject>;

  /**
   * The bytes of the object, or a range of them. The caller must read the stream to its end or destroy it.
   * @throws `storage.object_not_found`; `storage.invalid_range` when the range begins beyond the last byte or ends before it begins.
   */
  abstract get(key: ObjectKey, range?: ByteRange, options?: StorageCallOptions): Promise<Readable>;

  /** Size and time of an object; null when it does not exist. */
  abstract stat(key: ObjectKey, options?: StorageCallOptions): Promise<ObjectStat | null>;

  /** Removes the object. Idempotent: an absent key is no error. */
  abstract delete(key: ObjectKey, options?: StorageCallOptions): Promise<void>;

  /**
   * All objects below `''`, `tenant/` or `tenant/document/`, in no particular order, without holding them all in memory.
   * Objects that are stored or deleted meanwhile may or may not appear. Unfinished uploads never appear.
   */
  abstract list(prefix: string, options?: StorageCallOptions): AsyncIterable<ListedObject>;

  /**
   * Calls `work` with the path of a local file that holds the object's bytes, readable until `work` settles; `work` must not
   * change it. A store that is not a file system downloads the object first and removes the copy afterwards.
   * @throws `storage.object_not_found`; whatever `work` throws.
   */
  abstract withLocalFile<T>(
    key: ObjectKey,
    work: (path: string) => Promise<T>,
    options?: StorageCallOptions,
  ): Promise<T>;

  /**
   * Removes the parts, which readers never see, of uploads that began before a time and never ended. Resolves to the number of these uploads.
   * Safe while younger uploads run.
   */
  abstract removeUnfinished(before: Date): Promise<number>;

  /** Resolves when objects can be written at the moment. @throws `storage.unavailable`, `storage.low`. */
  abstract ping(options?: StorageCallOptions): Promise<void>;
}
