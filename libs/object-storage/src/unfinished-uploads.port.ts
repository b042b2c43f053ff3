import type { ObjectKey } from './object-key.js';

/** An upload in parts that a server holds until it is completed or given up. */
export interface UnfinishedUpload {
  /** Which storage holds it: address and bucket. */
  readonly place: string;
  readonly key: ObjectKey;
  /** As the server names it. */
  readonly uploadId: string;
}

/**
 * The uploads that were begun and not ended, kept where a process that is killed does not take them along. A storage records each before
 * it sends the first part: servers keep parts for ever, and not every one can list what was begun.
 */
export abstract class UnfinishedUploads {
  /** Durable when the promise resolves. */
  abstract add(upload: UnfinishedUpload): Promise<void>;

  /** The upload is completed or given up. Idempotent. */
  abstract remove(upload: UnfinishedUpload): Promise<void>;

  /** At most `limit` uploads of a place that were begun before a time, oldest first. */
  abstract listBefore(place: string, before: Date, limit: number): Promise<readonly UnfinishedUpload[]>;
}
