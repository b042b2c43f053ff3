import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsRFC3339, IsString, IsUUID, Length, Matches, MaxLength } from 'class-validator';
import { ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { ListQueryDto, QueryFlag } from '#libs/http';
import { BulkResult, DocumentIds } from '../../documents/index.js';
import { DETECTOR_ACTIONS, type DetectorAction } from '../../ingestion-policy/index.js';

const MAX_REASON = 500;
const MAX_NOTE = 2000;
const MAX_TERM = 256;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** Documents to be quarantined, and why. */
export class QuarantineRequest extends DocumentIds {
  /**
   * Reason of the quarantine; shown in the timeline of each document.
   * @example "Holds personal data"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_REASON, pattern: '\\S', example: 'Holds personal data' })
  @IsString()
  @MaxLength(MAX_REASON)
  @Matches(/\S/u, { message: 'reason must hold more than white space' })
  reason!: string;

  /** Note for members who may read the quarantine. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_NOTE })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string | null;

  /** Intended end (RFC 3339, in the future), after which the quarantine is listed as overdue. The documents remain in quarantine until they are released. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsRFC3339()
  until?: string | null;
}

/** Documents to be released. */
export class ReleaseRequest extends DocumentIds {}

/** What became of each document. */
export class ReleaseResult extends BulkResult {
  /** Identifiers of documents whose release this account has asked for and another one must grant, because the tenant has `release_needs_two`. */
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
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TERM })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TERM)
  q?: string;

  /** Only quarantines whose reason contains this text, without regard to case. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TERM })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TERM)
  reason?: string;

  /** Only documents that this account quarantined. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @IsUUID()
  quarantined_by?: string;

  /** Only quarantines that are overdue (`true`) or not overdue (`false`). */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  overdue?: boolean;

  /** Only documents whose release an account has asked for (`true`), or no account has asked for (`false`). */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  release_asked?: boolean;

  /** Order of the rows; a minus sign means descending. `created_at` is the time of the quarantine. */
  @ApiPropertyOptional({ enum: QUARANTINE_ORDERS, default: '-quarantined_at' })
  @IsOptional()
  @IsIn(QUARANTINE_ORDERS)
  order_by: QuarantineOrder = '-quarantined_at';
}

/** How often the latest ingestion found something of a kind in a quarantined document; never what. */
export class QuarantinedFindings {
  /** Kind of content. */
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  /** Action of the policy for these findings. */
  @ApiProperty({ enum: DETECTOR_ACTIONS })
  action!: DetectorAction;

  /** Number of findings. */
  @ApiProperty(COUNT)
  count!: number;
}

/** A quarantined document. */
export class QuarantinedDocument {
  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Identifier of the dataset of the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Reason of the quarantine. */
  reason!: string;

  /** Note on the quarantine; null: none. */
  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  /** Identifier of the account that quarantined the document; null: the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  quarantined_by!: string | null;

  /** Time of the quarantine. */
  @ApiProperty({ format: 'date-time' })
  quarantined_at!: string;

  /** Intended end of the quarantine; null: none was given. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until!: string | null;

  /** Whether `until` has passed. */
  @ApiProperty({ type: Boolean })
  overdue!: boolean;

  /** Numbers of findings of the latest ingestion, by kind and action; `GET /governance/findings?document_id=` shows their places. A release accepts them. */
  @ApiProperty({ type: () => [QuarantinedFindings] })
  findings!: QuarantinedFindings[];

  /** Identifier of the account that asked for the release, which another one must grant; null: none has asked. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  release_asked_by!: string | null;

  /** Time when the release was asked for; null: it was not. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  release_asked_at!: string | null;
}

/** Numbers of quarantined documents, whatever `overdue` and `release_asked` of the query. */
export class QuarantineCounts {
  /** Number of all quarantined documents. */
  @ApiProperty(COUNT)
  open!: number;

  /** Number of documents whose quarantine is overdue. */
  @ApiProperty(COUNT)
  overdue!: number;

  /** Number of documents whose release an account has asked for. */
  @ApiProperty(COUNT)
  release_asked!: number;
}

/** A page of the quarantine. */
export class QuarantinePage {
  /** The documents of this page. */
  @ApiProperty({ type: [QuarantinedDocument] })
  items!: QuarantinedDocument[];

  /** Numbers of documents that match, whatever `overdue` and `release_asked` of the query. */
  @ApiProperty({ type: () => QuarantineCounts })
  counts!: QuarantineCounts;

  /** Total number of documents that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
