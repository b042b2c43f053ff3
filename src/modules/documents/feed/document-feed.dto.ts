import { Answer, Text } from '#libs/http';
import { DocumentListItem } from '../record/document.dto.js';

/** Names of the events. */
export const FEED_EVENTS = ['documents.ready', 'documents.reset', 'document.changed', 'document.deleted'] as const;
export type FeedEventName = (typeof FEED_EVENTS)[number];

/** Position from which events are read. */
export class ListDocumentEventsQuery {
  /** Only events after the event with this id, or after the `next` of a list. Same as `Last-Event-ID`. */
  @Text({ query: true, max: 40, described: { pattern: '^\\d{1,20}-\\d{1,14}$' } })
  after?: string;
}

/** Something that has happened to the documents of a dataset; events of a stream carry all but its `type` as their data. */
export class DocumentFeedEvent {
  /**
   * `documents.ready`: changes are reported from here on. `document.changed`: a document was added or changed. `document.deleted`: a
   * document was deleted. `documents.reset`: more has changed than is reported; read the list again.
   */
  @Answer.Choice(FEED_EVENTS)
  type!: FeedEventName;

  /** The document as lists show it; only for `document.changed`. */
  @Answer.Nested(DocumentListItem, { optional: true })
  document?: DocumentListItem;

  /** Identifier of the deleted document; only for `document.deleted`. */
  @Answer.Uuid({ optional: true })
  document_id?: string;
}

/** What has happened to the documents of a dataset. */
export class DocumentFeedEvents {
  /** Events in the order of the changes, at most one for each document. */
  @Answer.NestedList(DocumentFeedEvent)
  items!: DocumentFeedEvent[];

  /** Value for `after` of the next request. */
  @Answer.Text({ max: 40, described: { pattern: '^\\d{1,20}-\\d{1,14}$' } })
  next!: string;
}
