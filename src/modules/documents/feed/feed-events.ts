import type { SseEvent } from '#libs/http';
import { toListItem } from '../record/document-views.js';
import type { DocumentChange } from './document-feed.repository.js';
import type { DocumentFeedEvent } from './document-feed.dto.js';
import { eventIdAt } from './feed-position.js';
import type { FeedBatch } from './feed-reader.js';

/** The events of a batch: `documents.reset`, if the changes are incomplete, comes first. */
export function feedEventsOf({ changes, isReset }: Pick<FeedBatch, 'changes' | 'isReset'>): DocumentFeedEvent[] {
  const reset: DocumentFeedEvent[] = isReset ? [{ type: 'documents.reset' }] : [];
  return [...reset, ...changes.map(toEvent)];
}

/**
 * The events as they are sent. Only the id of the last one leads to the end of the batch: a reader who has not received it begins before
 * the batch.
 */
export function sseEventsOf(events: readonly DocumentFeedEvent[], from: string, to: string, now: number): SseEvent[] {
  return events.map(({ type, ...data }, index) => ({
    id: eventIdAt(index === events.length - 1 ? to : from, now),
    event: type,
    data: JSON.stringify(data),
  }));
}

function toEvent({ id, row }: DocumentChange): DocumentFeedEvent {
  return row === null
    ? { type: 'document.deleted', document_id: id }
    : { type: 'document.changed', document: toListItem(row) };
}
