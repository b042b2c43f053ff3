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
  /** Only those in documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only those in this document. */
  @IsOptional()
  @IsUUID()
  document_id?: string;

  /** Only those of this kind of content. */
  @ApiPropertyOptional({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  @IsOptional()
  @IsIn(ENTITY_TYPES)
  entity_type?: EntityType;

  /** Only those of this severity. */
  @ApiPropertyOptional({ enum: SEVERITIES })
  @IsOptional()
  @IsIn(SEVERITIES)
  severity?: Severity;

  /** Only those with which this was done. */
  @ApiPropertyOptional({ enum: DETECTOR_ACTIONS })
  @IsOptional()
  @IsIn(DETECTOR_ACTIONS)
  action?: DetectorAction;

  /** Those of this rescan; without it those of the ingestion. */
  @IsOptional()
  @IsUUID()
  rescan_id?: string;

  /** Order of the rows; a minus sign means descending. Left out: by document, the newest first, and by where they stand in it. */
  @ApiPropertyOptional({ enum: FINDING_ORDERS })
  @IsOptional()
  @IsIn(FINDING_ORDERS)
  order_by?: FindingOrder;
}

/** Where sensitive content was found. It never holds the content. */
export class GovernanceFinding {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** The dataset of the document. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** The revision that was looked at. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** The attempt that found it; null for a rescan. */
  @ApiProperty({ type: String, nullable: true })
  generation!: string | null;

  /** The rescan that found it; null for the ingestion. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  rescan_id!: string | null;

  /** What of the document it is in. */
  @ApiProperty({ enum: FINDING_PLACES })
  place!: FindingPlace;

  /** Kind of content. */
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  /** Which of the detector's rules. */
  rule!: string;

  /** First UTF-16 code unit, from the beginning of its place: of the canonical text, the name, or one value of metadata. */
  @ApiProperty(COUNT)
  start!: number;

  /** Code unit behind it. */
  @ApiProperty(COUNT)
  end!: number;

  /** Page of the text, from 1; null where there are none. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1 })
  page!: number | null;

  /** How certain it is, from 0 to 1. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  score!: number;

  @ApiProperty({ enum: SEVERITIES })
  severity!: Severity;

  /** What the policy does with it. */
  @ApiProperty({ enum: DETECTOR_ACTIONS })
  action!: DetectorAction;

  /** When somebody released the document with it; null: nobody did. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  accepted_at!: string | null;

  /** When it was found. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** A page of findings. */
export class FindingPage {
  /** The findings of this page, by document, place and start. */
  @ApiProperty({ type: [GovernanceFinding] })
  items!: GovernanceFinding[];

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
