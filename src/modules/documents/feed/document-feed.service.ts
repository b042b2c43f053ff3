import { Injectable } from '@nestjs/common';
import type { LongAnswer, SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import { DocumentFeeds } from './document-feeds.service.js';
import type { DocumentFeedEvents } from './document-feed.dto.js';
import { feedEventsOf, sseEventsOf } from './feed-events.js';
import { eventIdAt, LOST, type FeedPlace } from './feed-position.js';

const READY = { type: 'documents.ready' } as const;
const RESET = { type: 'documents.reset' } as const;

/** Changes of the documents of a dataset, for callers who can see it. */
@Injectable()
export class DocumentFeedService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly feeds: DocumentFeeds,
  ) {}

  /** @throws `datasets.not_found` */
  require(ctx: RequestContext, datasetId: string): Promise<VisibleDataset> {
    return this.access.requireVisible(ctx, datasetId);
  }

  /** Changes since a position, as a list. @throws `datasets.not_found` */
  async list(ctx: RequestContext, datasetId: string, place: FeedPlace): Promise<DocumentFeedEvents> {
    const { id } = await this.require(ctx, datasetId);
    const isLost = place === LOST;
    const batch = await this.feeds.read(ctx, id, place === LOST ? null : place);
    const items = isLost ? [RESET] : feedEventsOf(batch);
    return { items, next: eventIdAt(batch.position, Date.now()) };
  }

  /** Changes as they happen; the permissions of the reader are checked before each batch of events. */
  async *follow(
    { id }: VisibleDataset,
    place: FeedPlace,
    answer: LongAnswer,
    signal: AbortSignal,
  ): AsyncGenerator<SseEvent, void, undefined> {
    const isLost = place === LOST;
    let last: string | undefined;
    for await (const batch of this.feeds.follow(answer.ctx, id, place === LOST ? null : place, signal)) {
      await answer.confirm();
      const told = feedEventsOf(batch);
      const events = last === undefined ? [isLost ? RESET : READY, ...told] : told;
      const from = last ?? (place === LOST ? null : place) ?? batch.position;
      yield* sseEventsOf(events, from, batch.position, Date.now());
      last = batch.position;
    }
  }
}
