import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';
import type { JsonValue } from '#libs/common';
import { Answer, Choice, IfPresent, Integer, ListQueryDto, OptionalBody, PageOf, Uuid } from '#libs/http';
import { SCAN_STATUSES, type ScanStatus } from './scan-run.entity.js';
import { DatasetProfileSummary } from './profile.dto.js';

const ANY_VALUE = { anyOf: ['string', 'number', 'null'].map((type) => ({ type })) };
export const NEAR_DUPLICATE_THRESHOLD = 0.8;
export const STALE_AFTER_DAYS = 365;
const THRESHOLD = { type: Number, minimum: 0.5, maximum: 1, nullable: true } as const;

export const SCAN_ORDERS = ['created_at', '-created_at'] as const;
export type ScanOrder = (typeof SCAN_ORDERS)[number];

/** Paging and order of profile scans. */
export class ListProfileScansQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @Choice(SCAN_ORDERS, { query: true, default: '-created_at' })
  order_by: ScanOrder = '-created_at';
}

/** Configuration of a new profile scan. */
@OptionalBody()
export class StartProfileScanRequest {
  /** Minimum similarity of texts that are reported as near duplicates, 0.5 to 1; null: near duplicates are not searched for. */
  @ApiPropertyOptional({ ...THRESHOLD, default: NEAR_DUPLICATE_THRESHOLD })
  @IfPresent()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  near_duplicate_threshold?: number | null = NEAR_DUPLICATE_THRESHOLD;

  /** Age of a file in days above which its document counts as stale. */
  @Integer({ optional: true, min: 1, max: 36_500, default: STALE_AFTER_DAYS })
  stale_after_days?: number = STALE_AFTER_DAYS;
}

/** Configuration of a profile scan. */
export class ProfileScanConfig {
  /** Minimum similarity of near duplicates, 0.5 to 1; null: near duplicates are not searched for. */
  @Answer.Decimal({ nullable: true, min: 0.5, max: 1 })
  near_duplicate_threshold!: number | null;

  /** Age in days above which a document counts as stale. */
  @Answer.Integer({ min: 1 })
  stale_after_days!: number;

  /** Version of the ingestion policy at the time of the request. */
  @Answer.Integer({ min: 1 })
  policy_version!: number;

  /** Embedding space of the dataset at the time of the request. */
  @Answer.Text()
  embedding_space!: string;
}

/** Progress of a scan. */
export class ScanProgressDto {
  /** Number of documents or files examined so far. */
  @Answer.Count()
  done!: number;

  /** Number of documents or files to examine, as last counted; null: not started. */
  @Answer.Count({ nullable: true })
  total!: number | null;
}

/** Why a scan failed. */
export class ScanError {
  /** Stable code. */
  @Answer.Text()
  code!: string;

  /** Description of the error. */
  @Answer.Text()
  message!: string;
}

/** A profile scan. */
export class ProfileScanRun {
  /** Identifier of the scan. */
  @Answer.Uuid()
  scan_run_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the scan. `pending`: waits for a worker. `failed`: `error` gives the reason. */
  @Answer.Choice(SCAN_STATUSES)
  status!: ScanStatus;

  /** Configuration of the scan. */
  @Answer.Nested(() => ProfileScanConfig)
  config!: ProfileScanConfig;

  /** Progress of the scan. */
  @Answer.Nested(() => ScanProgressDto)
  progress!: ScanProgressDto;

  /** Why the scan failed; null: it did not fail. */
  @Answer.Nested(() => ScanError, { nullable: true })
  error!: ScanError | null;

  /** Identifier of the account that requested the scan; null: the service did. */
  @Answer.Uuid({ nullable: true })
  requested_by!: string | null;

  /** Time of the request. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which a worker began; null: not started. */
  @Answer.Instant({ nullable: true })
  started_at!: string | null;

  /** Time at which the scan ended; null: not ended. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}

/** A profile scan with what it found. */
export class ProfileScanDetail extends ProfileScanRun {
  /** Results of the scan; null until it is `completed`. */
  @Answer.Nested(() => DatasetProfileSummary, { nullable: true })
  summary!: DatasetProfileSummary | null;
}

/** Profile scans, the newest first. The newest 50 that have ended are kept. */
export class ProfileScanPage extends PageOf(ProfileScanRun, {
  items: 'The scans of this page.',
  total: 'Total number of scans.',
  rows: 'scans',
  least: { limit: 1 },
}) {}

/** The profile of a dataset: what its latest completed scan found. */
export class DatasetProfile {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Latest completed scan; null: none was completed. */
  @Answer.Nested(() => ProfileScanDetail, { nullable: true })
  latest!: ProfileScanDetail | null;

  /** Running scan; null: none is running. */
  @Answer.Nested(() => ProfileScanRun, { nullable: true })
  running!: ProfileScanRun | null;
}

/** Scan to compare with. */
export class ProfileDiffQuery {
  /** Identifier of another completed profile scan of the dataset, the earlier side of the comparison; if left out, the previous scan. */
  @Uuid({ query: true })
  with?: string;
}

/** A number that differs between two scans. */
export class ProfileChange {
  /** JSON pointer to the number in the summary; entries of lists are named by their value. */
  @Answer.Text({ example: '/tokens/p50' })
  pointer!: string;

  /** Number in the scan named by `with`; null: not present there. */
  @Answer.Decimal({ nullable: true })
  before!: number | null;

  /** Number in this scan; null: not present there. */
  @Answer.Decimal({ nullable: true })
  after!: number | null;

  /** `after` minus `before`; a missing number counts as 0. */
  @Answer.Decimal()
  change!: number;
}

/** A field of the configurations that differs. */
export class ProfileConfigChange {
  /** JSON pointer to the field of the configuration. */
  @Answer.Text({ example: '/policy_version' })
  pointer!: string;

  /** Value in the scan named by `with`; null: not set there. */
  @ApiProperty(ANY_VALUE)
  before!: JsonValue;

  /** Value in this scan; null: not set here. */
  @ApiProperty(ANY_VALUE)
  after!: JsonValue;
}

/** What changed from one profile scan to another. */
export class ProfileDiff {
  /** Identifier of this scan. */
  @Answer.Uuid()
  scan_run_id!: string;

  /** Identifier of the scan with which this one is compared. */
  @Answer.Uuid()
  with!: string;

  /** Fields of the configuration that differ; these differences can be the reason why numbers differ. */
  @Answer.NestedList(() => ProfileConfigChange)
  config_changes!: ProfileConfigChange[];

  /** All numbers that differ. */
  @Answer.NestedList(() => ProfileChange)
  changes!: ProfileChange[];
}
