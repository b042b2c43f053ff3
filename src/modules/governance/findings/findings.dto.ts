import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { ENTITY_TYPES, SEVERITIES, type EntityType, type Severity } from '#libs/detectors';
import { ListQueryDto } from '#libs/http';
import { DETECTOR_ACTIONS, type DetectorAction } from '../../ingestion-policy/index.js';
import { FINDING_PLACES, type FindingPlace } from './finding.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

export const FINDING_ORDERS = ['created_at', '-created_at'] as const;
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** Which findings. */
export class ListFindingsQuery extends ListQueryDto {
  /** Only findings in documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only findings in this document. */
  @IsOptional()
  @IsUUID()
  document_id?: string;

  /** Only findings of this kind of content. */
  @ApiPropertyOptional({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  @IsOptional()
  @IsIn(ENTITY_TYPES)
  entity_type?: EntityType;

  /** Only findings of this severity. */
  @ApiPropertyOptional({ enum: SEVERITIES })
  @IsOptional()
  @IsIn(SEVERITIES)
  severity?: Severity;

  /** Only findings with this action. */
  @ApiPropertyOptional({ enum: DETECTOR_ACTIONS })
  @IsOptional()
  @IsIn(DETECTOR_ACTIONS)
  action?: DetectorAction;

  /** Only findings of this rescan; left out: the findings of ingestion. */
  @IsOptional()
  @IsUUID()
  rescan_id?: string;

  /** Order of the rows; a minus sign means descending. Left out: by document, the newest first, and by position in it. */
  @ApiPropertyOptional({ enum: FINDING_ORDERS })
  @IsOptional()
  @IsIn(FINDING_ORDERS)
  order_by?: FindingOrder;
}

/** Where sensitive content was found. It never holds the content. */
export class GovernanceFinding {
  /** Identifier of the finding. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Identifier of the dataset of the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Number of the revision that was inspected. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Ingestion attempt that made the finding; null: it was a rescan. */
  @ApiProperty({ type: String, nullable: true })
  generation!: string | null;

  /** Identifier of the rescan that made the finding; null: it was an ingestion. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  rescan_id!: string | null;

  /** Part of the document that contains the content. */
  @ApiProperty({ enum: FINDING_PLACES })
  place!: FindingPlace;

  /** Kind of content. */
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  /** Rule of the detector that matched. */
  rule!: string;

  /** Offset of the first UTF-16 code unit, counted in its place: the canonical text, the name, or one value of the metadata. */
  @ApiProperty(COUNT)
  start!: number;

  /** Offset behind the last code unit. */
  @ApiProperty(COUNT)
  end!: number;

  /** Page of the document, from 1; null: there are no pages. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1 })
  page!: number | null;

  /** Certainty of the finding, from 0 to 1. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  score!: number;

  /** Severity of the finding. */
  @ApiProperty({ enum: SEVERITIES })
  severity!: Severity;

  /** Action of the policy for the finding. */
  @ApiProperty({ enum: DETECTOR_ACTIONS })
  action!: DetectorAction;

  /** Time when the document was released with this finding; null: it was not. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  accepted_at!: string | null;

  /** Time of the finding. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** A page of findings. */
export class FindingPage {
  /** The findings of this page, by document, place and start. */
  @ApiProperty({ type: [GovernanceFinding] })
  items!: GovernanceFinding[];

  /** Total number of findings that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
