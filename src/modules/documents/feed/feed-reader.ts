import type { DocumentId } from '#libs/common';
import { MOST_CHANGES, type DocumentChange, type FeedRead } from './document-feed.repository.js';

/** Changes that a reader gets together. */
export interface FeedBatch {
  /** The position after the batch. */
  readonly position: string;
  /** Each document once, in its last state. */
  readonly changes: readonly DocumentChange[];
  /** Whether the list must be read again because `changes` is incomplete. */
  readonly isReset: boolean;
}

/** Changes that wait for a reader of a feed. However slow the reader is, only the last state of a limited number of documents is kept. */
export class FeedReader {
  private readonly changes = new Map<DocumentId, DocumentChange>();
  private isReset = false;
  private position = '';
  private failure: { readonly error: unknown } | undefined;
  private news = Promise.withResolvers<void>();

  add({ position, changes, isReset }: FeedRead): void {
    this.position = position;
    this.isReset ||= isReset;
    for (const change of changes) {
      // Removed first, so that the document that changed last comes last.
      this.changes.delete(change.id);
      this.changes.set(change.id, change);
    }
    if (this.changes.size > MOST_CHANGES) this.isReset = true;
    if (this.isReset) this.changes.clear();
    if (this.isReset || this.changes.size > 0) this.news.resolve();
  }

  /** Ends the feed for this reason. */
  fail(error: unknown): void {
    this.failure ??= { error };
    this.news.resolve();
  }

  /** The position of the reader and the changes since, without waiting. */
  take(): FeedBatch {
    const batch = { position: this.position, changes: [...this.changes.values()], isReset: this.isReset };
    this.changes.clear();
    this.isReset = false;
    this.news = Promise.withResolvers<void>();
    if (this.failure !== undefined) this.news.resolve();
    return batch;
  }

  /** Resolves to the next batch as soon as there is one. @throws the error with which the feed ended */
  async next(): Promise<FeedBatch> {
    await this.news.promise;
    if (this.failure !== undefined) throw this.failure.error;
    return this.take();
  }
}
