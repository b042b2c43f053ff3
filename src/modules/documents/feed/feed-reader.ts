import type { DocumentId } from '#libs/common';
import { MOST_CHANGES, type DocumentChange, type FeedLook } from './document-feed.repository.js';

/** What a reader is told at once. */
export interface FeedBatch {
  /** The place behind the batch. */
  readonly position: string;
  /** Each document once, as it was last. */
  readonly changes: readonly DocumentChange[];
  /** Whether the list is to be read again, because not all changes are told. */
  readonly isReset: boolean;
}

/** What waits for a reader of a feed. However slow he is, no more than the last state of some documents is kept for him. */
export class FeedReader {
  private readonly changes = new Map<DocumentId, DocumentChange>();
  private isReset = false;
  private position = '';
  private failure: { readonly error: unknown } | undefined;
  private news = Promise.withResolvers<void>();

  add({ position, changes, isReset }: FeedLook): void {
    this.position = position;
    this.isReset ||= isReset;
    for (const change of changes) {
      // Taken out first, so that what was told last is last.
      this.changes.delete(change.id);
      this.changes.set(change.id, change);
    }
    if (this.changes.size > MOST_CHANGES) this.isReset = true;
    if (this.isReset) this.changes.clear();
    if (this.isReset || this.changes.size > 0) this.news.resolve();
  }

  /** Nothing more comes, for this reason. */
  fail(error: unknown): void {
    this.failure ??= { error };
    this.news.resolve();
  }

  /** Where the reader is, and what has come since; without waiting for it. */
  take(): FeedBatch {
    const batch = { position: this.position, changes: [...this.changes.values()], isReset: this.isReset };
    this.changes.clear();
    this.isReset = false;
    this.news = Promise.withResolvers<void>();
    if (this.failure !== undefined) this.news.resolve();
    return batch;
  }

  /** The next batch, when there is one. @throws what the feed failed with */
  async next(): Promise<FeedBatch> {
    await this.news.promise;
    if (this.failure !== undefined) throw this.failure.error;
    return this.take();
  }
}
