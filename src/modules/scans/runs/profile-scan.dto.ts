import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsNumber, IsOptional, IsUUID, Max, Min } from 'class-validator';
import type { JsonValue } from '#libs/common';
import { IfPresent, ListQueryDto, OptionalBody } from '#libs/http';
import { SCAN_STATUSES, type ScanStatus } from './scan-run.entity.js';
import { DatasetProfileSummary } from './profile.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const ANY_VALUE = { anyOf: ['string', 'number', 'null'].map((type) => ({ type })) };
export const NEAR_DUPLICATE_THRESHOLD = 0.8;
export const STALE_AFTER_DAYS = 365;
const THRESHOLD = { type: Number, minimum: 0.5, maximum: 1, nullable: true } as const;

export const SCAN_ORDERS = ['created_at', '-created_at'] as const;
export type ScanOrder = (typeof SCAN_ORDERS)[number];

/** Paging and order of profile scans. */
export class ListProfileScansQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: SCAN_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(SCAN_ORDERS)
  order_by: ScanOrder = '-created_at';
}

/** What a profile scan is to go by. */
@OptionalBody()
export class StartProfileScanRequest {
  /** Least similarity of texts that are reported as near duplicates; null: they are not looked for. */
  @ApiPropertyOptional({ ...THRESHOLD, default: NEAR_DUPLICATE_THRESHOLD })
  @IfPresent()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  near_duplicate_threshold?: number | null = NEAR_DUPLICATE_THRESHOLD;

  /** Age of a file, in days, above which its document counts as stale. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 36_500, default: STALE_AFTER_DAYS })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(36_500)
  stale_after_days?: number = STALE_AFTER_DAYS;
}

/** What a profile scan went by. */
export class ProfileScanConfig {
  /** Least similarity of near duplicates; null: they were not looked for. */
  @ApiProperty(THRESHOLD)
  near_duplicate_threshold!: number | null;

  /** Age in days above which a document counts as stale. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  stale_after_days!: number;

  /** Version of the ingestion policy in force when it was asked for. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  policy_version!: number;

  /** Embedding space of the dataset when it was asked for. */
  @ApiProperty({ type: String })
  embedding_space!: string;
}

/** How far a scan is. */
export class ScanProgressDto {
  /** Documents that were looked at. */
  @ApiProperty(COUNT)
  done!: number;

  /** Documents of the dataset, as counted last; null before the work has begun. */
  @ApiProperty({ ...COUNT, nullable: true })
  total!: number | null;
}

/** Why a scan failed. */
export class ScanError {
  /** Stable code. */
  @ApiProperty({ type: String })
  code!: string;

  /** What happened. */
  @ApiProperty({ type: String })
  message!: string;
}

/** A profile scan. */
export class ProfileScanRun {
  /** The scan. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** `pending`: waits for a worker. `failed`: `error` says why. */
  @ApiProperty({ enum: SCAN_STATUSES })
  status!: ScanStatus;

  /** What it goes by. */
  @ApiProperty({ type: () => ProfileScanConfig })
  config!: ProfileScanConfig;

  /** How far it is. */
  @ApiProperty({ type: () => ScanProgressDto })
  progress!: ScanProgressDto;

  /** Why it failed; else null. */
  @ApiProperty({ type: () => ScanError, nullable: true })
  error!: ScanError | null;

  /** Who asked for it; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  requested_by!: string | null;

  /** When it was asked for. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When a worker began with it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  /** When it ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}

/** A profile scan with what it found. */
export class ProfileScanDetail extends ProfileScanRun {
  /** What it found; null until it is `completed`. */
  @ApiProperty({ type: () => DatasetProfileSummary, nullable: true })
  summary!: DatasetProfileSummary | null;
}

/** Profile scans, the newest first. The newest 50 that have ended are kept. */
export class ProfileScanPage {
  /** The rows. */
  @ApiProperty({ type: () => [ProfileScanRun] })
  items!: ProfileScanRun[];

  /** How many there are. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many rows at most. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}

/** The profile of a dataset: what its latest completed scan found. */
export class DatasetProfile {
  /** The dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** The latest completed scan; null when there is none yet: start one. */
  @ApiProperty({ type: () => ProfileScanDetail, nullable: true })
  latest!: ProfileScanDetail | null;

  /** The scan that is under way; null when there is none. */
  @ApiProperty({ type: () => ProfileScanRun, nullable: true })
  running!: ProfileScanRun | null;
}

/** Which scan to compare with. */
export class ProfileDiffQuery {
  /** Another completed profile scan of the dataset, the earlier side of the comparison; left out: the one that was asked for before this one. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  with?: string;
}

/** A number that differs between two scans. */
export class ProfileChange {
  /** Where it stands in the summary, as a JSON pointer; entries of lists by their value. */
  @ApiProperty({ type: String, example: '/tokens/p50' })
  pointer!: string;

  /** Of the scan named by `with`; null: it has none. */
  @ApiProperty({ type: Number, nullable: true })
  before!: number | null;

  /** Of this scan; null: it has none. */
  @ApiProperty({ type: Number, nullable: true })
  after!: number | null;

  /** `after` minus `before`, what is missing counted as 0. */
  @ApiProperty({ type: Number })
  change!: number;
}

/** A field of the configurations that differs. */
export class ProfileConfigChange {
  /** The field, as a JSON pointer. */
  @ApiProperty({ type: String, example: '/policy_version' })
  pointer!: string;

  /** Of the scan named by `with`. */
  @ApiProperty(ANY_VALUE)
  before!: JsonValue;

  /** Of this scan. */
  @ApiProperty(ANY_VALUE)
  after!: JsonValue;
}

/** What changed from one profile scan to another. */
export class ProfileDiff {
  /** This scan. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** The one that it is compared with. */
  @ApiProperty({ format: 'uuid' })
  with!: string;

  /** Fields of the configuration that differ: then numbers may differ for that reason alone. */
  @ApiProperty({ type: () => [ProfileConfigChange] })
  config_changes!: ProfileConfigChange[];

  /** Every number that differs. */
  @ApiProperty({ type: () => [ProfileChange] })
  changes!: ProfileChange[];
}
