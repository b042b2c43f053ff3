import type { ObjectKey } from './object-key.js';

/** An upload in parts that a server keeps until it is completed or aborted. */
export interface UnfinishedUpload {
  /** The storage of the upload: address and bucket. */
  readonly place: string;
  readonly key: ObjectKey;
  /** Id of the upload at the server. */
  readonly uploadId: string;
}

/**
 * Durable record of unfinished uploads in parts, which survives a process that is killed. A storage records each upload before it sends the first
 * part, since servers keep parts for ever and not every server can list unfinished uploads.
 */
export abstract class UnfinishedUploads {
  /** Durable when the promise resolves. */
  abstract add(upload: UnfinishedUpload): Promise<void>;

  /** Removes the record of an upload that is completed or aborted. Idempotent. */
  abstract remove(upload: UnfinishedUpload): Promise<void>;

  /** At most `limit` uploads of a place that were begun before a time, oldest first. */
  abstract listBefore(place: string, before: Date, limit: number): Promise<readonly UnfinishedUpload[]>;
}
