import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { DocumentListItem } from '../record/document.dto.js';

const EVENT_ID = { type: String, maxLength: 40, pattern: '^\\d{1,20}-\\d{1,14}$' } as const;

/** Names of the events. */
export const FEED_EVENTS = ['documents.ready', 'documents.reset', 'document.changed', 'document.deleted'] as const;
export type FeedEventName = (typeof FEED_EVENTS)[number];

/** From where events are read. */
export class ListDocumentEventsQuery {
  /** Only what has happened after the event with this id, or after `next` of a list. `Last-Event-ID` says the same. */
  @ApiPropertyOptional(EVENT_ID)
  @IsOptional()
  @IsString()
  @MaxLength(40)
  after?: string;
}

/** Something that has happened to the documents of a dataset; events of a stream carry all but its `type` as their data. */
export class DocumentFeedEvent {
  /**
   * `documents.ready`: from here on changes are told. `document.changed`: a document is new or has changed. `document.deleted`: it is gone. `documents.reset`: more has changed than is told; read the list again.
   */
  @ApiProperty({ enum: FEED_EVENTS })
  type!: FeedEventName;

  /** Of `document.changed`: the document as lists show it. */
  @ApiPropertyOptional({ type: DocumentListItem })
  document?: DocumentListItem;

  /** Of `document.deleted`: which one. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  document_id?: string;
}

/** What has happened to the documents of a dataset. */
export class DocumentFeedEvents {
  /** In the order of the changes; a document stands among them once. */
  @ApiProperty({ type: [DocumentFeedEvent] })
  items!: DocumentFeedEvent[];

  /** For `after` of the next request. */
  @ApiProperty(EVENT_ID)
  next!: string;
}
