import { Injectable } from '@nestjs/common';
import { delay, OneByOne, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DocumentFeedRepository, ReportedChanges } from './document-feed.repository.js';
import { FeedReader, type FeedBatch } from './feed-reader.js';

/** Shortest and longest pause between two reads, in milliseconds. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Maximum share of the time that is spent reading, however many documents there are. */
const SHARE = 1 / 20;

/** Reads the changes of a dataset once for all readers in this process. */
class Feed {
  readonly readers = new Set<FeedReader>();
  readonly told = new ReportedChanges();
  readonly ended = new AbortController();
  /** Reads run one after another, so that no reader gets an older state of a document after a newer one. */
  readonly turns = new OneByOne();
  position: string | null = null;

  constructor(
    readonly ctx: RequestContext,
    readonly datasetId: DatasetId,
  ) {}
}

/**
 * Reports changes of the documents of a dataset, whichever process makes them: they are read from the database, once for all streams of a
 * dataset in this process, as long as a stream is open. The route must check that a reader may see the dataset.
 */
@Injectable()
export class DocumentFeeds {
  private readonly feeds = new Map<DatasetId, Feed>();

  constructor(private readonly repository: DocumentFeedRepository) {}

  /**
   * Changes as they happen, until `signal` is aborted. The first batch comes at once, with the changes since `from`, or, if that is null,
   * with only the position from which changes are reported. A change may be reported twice; none is left out.
   */
  async *follow(
    ctx: RequestContext,
    datasetId: DatasetId,
    from: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<FeedBatch, void, undefined> {
    const feed = this.feedOf(ctx, datasetId);
    const reader = new FeedReader();
    const leave = (): void => reader.fail(signal.reason);
    feed.readers.add(reader);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await feed.turns.run(async () => reader.add(await this.repository.look(feed.ctx, datasetId, from)));
      yield reader.take();
      while (!signal.aborted) yield await reader.next();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      feed.readers.delete(reader);
      if (feed.readers.size === 0) this.end(feed);
    }
  }

  /** Changes since `from`, read once. */
  async read(ctx: RequestContext, datasetId: DatasetId, from: string | null): Promise<FeedBatch> {
    return this.repository.look(ctx, datasetId, from);
  }

  private feedOf({ tenantId, requestId }: RequestContext, datasetId: DatasetId): Feed {
    const known = this.feeds.get(datasetId);
    if (known !== undefined) return known;
    // The changes are read for all readers, so with the permissions of none of them.
    const feed = new Feed({ tenantId, requestId, principal: { kind: 'system', permissions: new Set() } }, datasetId);
    this.feeds.set(datasetId, feed);
    void this.run(feed);
    return feed;
  }

  /** Its first read comes before all others, so that no reader gets changes before it. Never rejects. */
  private async run(feed: Feed): Promise<void> {
    const { ended } = feed;
    try {
      while (!ended.signal.aborted) {
        const tookMs = await feed.turns.run(() => this.look(feed));
        await delay(Math.min(Math.max(PAUSE_MS, tookMs / SHARE), LONGEST_PAUSE_MS), ended.signal);
      }
    } catch (error) {
      this.end(feed);
      for (const reader of feed.readers) reader.fail(error);
    }
  }

  /** Resolves to its duration in milliseconds. */
  private async look(feed: Feed): Promise<number> {
    const began = performance.now();
    const look = await this.repository.look(feed.ctx, feed.datasetId, feed.position, feed.told);
    const took = performance.now() - began;
    feed.position = look.position;
    for (const reader of feed.readers) reader.add(look);
    return took;
  }

  private end(feed: Feed): void {
    feed.ended.abort(new Error('No one reads the feed any more.'));
    if (this.feeds.get(feed.datasetId) === feed) this.feeds.delete(feed.datasetId);
  }
}
