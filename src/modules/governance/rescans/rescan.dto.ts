import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { RESCAN_STATUSES, type RescanStatus } from '../findings/rescan.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** What is to be looked at. */
export class StartRescanRequest {
  /** All documents of this dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;
}

/** How far a rescan is. */
export class RescanProgressDto {
  /** Documents that were looked at. */
  @ApiProperty(COUNT)
  done!: number;

  /** Documents of the dataset, as counted last; null before the work has begun. */
  @ApiProperty({ ...COUNT, nullable: true })
  total!: number | null;
}

/** How often a rescan has found a kind of content. */
export class RescanFindings {
  /** Kind of content. */
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  /** How often. */
  @ApiProperty(COUNT)
  findings!: number;

  /** In how many documents. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** Why a rescan failed. */
export class RescanError {
  /** Stable code. */
  @ApiProperty({ type: String })
  code!: string;

  /** What happened. */
  @ApiProperty({ type: String })
  message!: string;
}

/** A look for sensitive content in a dataset. */
export class GovernanceRescan {
  /** The rescan. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** `pending`: waits for a worker. `failed`: `error` says why. */
  @ApiProperty({ enum: RESCAN_STATUSES })
  status!: RescanStatus;

  /** How far it is. */
  @ApiProperty({ type: () => RescanProgressDto })
  progress!: RescanProgressDto;

  /** What was found so far, by kind; never the content. */
  @ApiProperty({ type: () => [RescanFindings] })
  findings!: RescanFindings[];

  /** Why it failed; else null. */
  @ApiProperty({ type: () => RescanError, nullable: true })
  error!: RescanError | null;

  /** Who asked for it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  requested_by!: string | null;

  /** When it was asked for. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When a worker began with it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  /** When it ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}
