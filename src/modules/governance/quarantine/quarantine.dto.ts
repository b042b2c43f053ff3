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
   * Why; it stands in the timeline of each document.
   * @example "Holds personal data"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_REASON, pattern: '\\S', example: 'Holds personal data' })
  @IsString()
  @MaxLength(MAX_REASON)
  @Matches(/\S/u, { message: 'reason must hold more than white space' })
  reason!: string;

  /** More about it, for those who may read the quarantine. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_NOTE })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string | null;

  /** When it is meant to end (RFC 3339, in the future): from then on it is listed as overdue. The documents stay out until they are released. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsRFC3339()
  until?: string | null;
}

/** Documents to be released. */
export class ReleaseRequest extends DocumentIds {}

/** What became of each document. */
export class ReleaseResult extends BulkResult {
  /** Documents whose release this account has asked for and another one must grant, where the tenant says `release_needs_two`. */
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

  /** Only documents whose name contains this, without regard to case. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TERM })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TERM)
  q?: string;

  /** Only quarantines whose reason contains this, without regard to case. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TERM })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TERM)
  reason?: string;

  /** Only what this account quarantined. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @IsUUID()
  quarantined_by?: string;

  /** Only those that are overdue (`true`), or that are not (`false`). */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  overdue?: boolean;

  /** Only those whose release one account has asked for (`true`), or nobody (`false`). */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  release_asked?: boolean;

  /** Order of the rows; a minus sign means descending. `created_at` is when they were quarantined. */
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

  /** What the policy does with it. */
  @ApiProperty({ enum: DETECTOR_ACTIONS })
  action!: DetectorAction;

  /** How many. */
  @ApiProperty(COUNT)
  count!: number;
}

/** A quarantined document. */
export class QuarantinedDocument {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  document_name!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Why it was quarantined. */
  reason!: string;

  /** More about it. */
  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  /** Account that quarantined it; null for the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  quarantined_by!: string | null;

  /** When. */
  @ApiProperty({ format: 'date-time' })
  quarantined_at!: string;

  /** When it was meant to end; null: it was not said. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until!: string | null;

  /** Whether `until` has passed. */
  @ApiProperty({ type: Boolean })
  overdue!: boolean;

  /** What the latest ingestion found in it, by kind and action; the places: `GET /governance/findings?document_id=`. A release accepts them. */
  @ApiProperty({ type: () => [QuarantinedFindings] })
  findings!: QuarantinedFindings[];

  /** Account that asked for the release, which another one must grant; null: none has. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  release_asked_by!: string | null;

  /** When it asked. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  release_asked_at!: string | null;
}

/** How many quarantined documents there are, whatever `overdue` and `release_asked` of the query. */
export class QuarantineCounts {
  /** All of them. */
  @ApiProperty(COUNT)
  open!: number;

  /** Those that are overdue. */
  @ApiProperty(COUNT)
  overdue!: number;

  /** Those whose release one account has asked for. */
  @ApiProperty(COUNT)
  release_asked!: number;
}

/** A page of the quarantine. */
export class QuarantinePage {
  /** The documents of this page. */
  @ApiProperty({ type: [QuarantinedDocument] })
  items!: QuarantinedDocument[];

  /** How many match by kind. */
  @ApiProperty({ type: () => QuarantineCounts })
  counts!: QuarantineCounts;

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows of the page. */
  @ApiProperty(COUNT)
  limit!: number;
}
