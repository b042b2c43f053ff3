import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { RESCAN_STATUSES, type RescanStatus } from '../findings/rescan.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** What is to be looked at. */
export class StartRescanRequest {
  /** Identifier of the dataset whose documents are inspected. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;
}

/** How far a rescan is. */
export class RescanProgressDto {
  /** Number of documents inspected so far. */
  @ApiProperty(COUNT)
  done!: number;

  /** Number of documents of the dataset, as last counted; null: the work has not begun. */
  @ApiProperty({ ...COUNT, nullable: true })
  total!: number | null;
}

/** How often a rescan has found a kind of content. */
export class RescanFindings {
  /** Kind of content. */
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  entity_type!: EntityType;

  /** Number of findings. */
  @ApiProperty(COUNT)
  findings!: number;

  /** Number of documents with findings. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** Why a rescan failed. */
export class RescanError {
  /** Error code. */
  @ApiProperty({ type: String })
  code!: string;

  /** Explanation of the error. */
  @ApiProperty({ type: String })
  message!: string;
}

/** A look for sensitive content in a dataset. */
export class GovernanceRescan {
  /** Identifier of the rescan. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** Status of the rescan. `pending`: it waits for a worker. `failed`: `error` says why. */
  @ApiProperty({ enum: RESCAN_STATUSES })
  status!: RescanStatus;

  /** Progress of the rescan, in documents. */
  @ApiProperty({ type: () => RescanProgressDto })
  progress!: RescanProgressDto;

  /** Numbers of findings so far, by kind of content; never the content itself. */
  @ApiProperty({ type: () => [RescanFindings] })
  findings!: RescanFindings[];

  /** Reason of the failure; null: the rescan has not failed. */
  @ApiProperty({ type: () => RescanError, nullable: true })
  error!: RescanError | null;

  /** Identifier of the account that started the rescan; null: the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  requested_by!: string | null;

  /** Time of the request. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time when a worker began the rescan; null: not yet. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  /** Time when the rescan ended; null: not yet. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}
