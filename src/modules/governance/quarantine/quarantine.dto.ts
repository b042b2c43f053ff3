import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import { ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { Answer, Choice, Flag, Instant, ListQueryDto, Text, Uuid } from '#libs/http';
import { BulkResult, DocumentIds } from '../../documents/index.js';
import { DETECTOR_ACTIONS, type DetectorAction } from '../../ingestion-policy/index.js';

const MAX_REASON = 500;
const MAX_NOTE = 2000;
const MAX_TERM = 256;

/** Documents to quarantine, with the reason. */
export class QuarantineRequest extends DocumentIds {
  /**
   * Reason of the quarantine; shown in the timeline of each document.
   * @example "Holds personal data"
   */
  @Text({ filled: true, max: MAX_REASON, example: 'Holds personal data' })
  reason!: string;

  /** Note for members who may read the quarantine; null or left out: none. */
  @Text({ optional: true, nullable: true, max: MAX_NOTE })
  note?: string | null;

  /**
   * Intended end (RFC 3339, in the future), after which the quarantine is listed as overdue. The documents remain in quarantine until they are
   * released. null or left out: no end is intended.
   */
  @Instant({ optional: true, nullable: true })
  until?: string | null;
}

/** Documents to release. */
export class ReleaseRequest extends DocumentIds {}

/** Outcome for each document. */
export class ReleaseResult extends BulkResult {
  /**
   * Identifiers of documents whose release this account has requested and another account must grant, because the tenant has
   * `release_needs_two`.
   */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  awaiting!: string[];
}

export const QUARANTINE_ORDERS = [
  'quarantined_at',
  '-quarantined_at',
  'created_at',
  '-created_at',
  'document_name',
  '-document_name',
] as const;
export type QuarantineOrder = (typeof QUARANTINE_ORDERS)[number];

/** Filter and order of the quarantine. */
export class ListQuarantineQuery extends ListQueryDto {
  /** Only documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only documents whose name contains this text, without regard to case. */
  @Text({ query: true, length: [1, MAX_TERM] })
  q?: string;

  /** Only quarantines whose reason contains this text, without regard to case. */
  @Text({ query: true, length: [1, MAX_TERM] })
  reason?: string;

  /** Only documents that this account quarantined. */
  @Uuid({ query: true })
  quarantined_by?: string;

  /** Only quarantines that are overdue (`true`) or not overdue (`false`). */
  @Flag({ query: true })
  overdue?: boolean;

  /** Only documents whose release has been requested by an account (`true`) or not (`false`). */
  @Flag({ query: true })
  release_asked?: boolean;

  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. `created_at` is the time of the quarantine. */
  @Choice(QUARANTINE_ORDERS, { query: true, default: '-quarantined_at' })
  order_by: QuarantineOrder = '-quarantined_at';
}

/** Number of findings of one kind in a quarantined document, from its latest ingestion. */
export class QuarantinedFindings {
  /** Kind of content. */
  @Answer.Choice(ENTITY_TYPES, { name: 'EntityType' })
  entity_type!: EntityType;

  /** Action of the policy for these findings. */
  @Answer.Choice(DETECTOR_ACTIONS)
  action!: DetectorAction;

  /** Number of findings. */
  @Answer.Count()
  count!: number;
}

/** A quarantined document. */
export class QuarantinedDocument {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Identifier of the dataset of the document. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Reason of the quarantine. */
  reason!: string;

  /** Note on the quarantine; null: none. */
  @Answer.Text({ nullable: true })
  note!: string | null;

  /** Identifier of the account that quarantined the document; null: the service itself. */
  @Answer.Uuid({ nullable: true })
  quarantined_by!: string | null;

  /** Time of the quarantine. */
  @Answer.Instant()
  quarantined_at!: string;

  /** Intended end of the quarantine; null: none was given. */
  @Answer.Instant({ nullable: true })
  until!: string | null;

  /** Whether `until` has passed. */
  @Answer.Flag()
  overdue!: boolean;

  /**
   * Numbers of findings of the latest ingestion, by kind and action; `GET /governance/findings?document_id=` shows their places. A release
   * accepts these findings.
   */
  @Answer.NestedList(() => QuarantinedFindings)
  findings!: QuarantinedFindings[];

  /** Identifier of the account that requested the release, which another account must grant; null: not requested. */
  @Answer.Uuid({ nullable: true })
  release_asked_by!: string | null;

  /** Time when the release was requested; null: it was not. */
  @Answer.Instant({ nullable: true })
  release_asked_at!: string | null;
}

/** Numbers of quarantined documents, regardless of the filters `overdue` and `release_asked`. */
export class QuarantineCounts {
  /** Number of all quarantined documents. */
  @Answer.Count()
  open!: number;

  /** Number of documents whose quarantine is overdue. */
  @Answer.Count()
  overdue!: number;

  /** Number of documents whose release an account has requested. */
  @Answer.Count()
  release_asked!: number;
}

/** A page of the quarantine. */
export class QuarantinePage {
  /** The documents of this page. */
  @Answer.NestedList(QuarantinedDocument)
  items!: QuarantinedDocument[];

  /** Numbers of documents that match the other filters, regardless of `overdue` and `release_asked`. */
  @Answer.Nested(() => QuarantineCounts)
  counts!: QuarantineCounts;

  /** Total number of documents that match. */
  @Answer.Count()
  total!: number;

  /** Number of rows left out at the beginning. */
  @Answer.Count()
  skip!: number;

  /** Maximum number of rows in a page. */
  @Answer.Count()
  limit!: number;
}
