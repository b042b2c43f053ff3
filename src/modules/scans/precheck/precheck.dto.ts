import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import type { JsonObject, JsonValue } from '#libs/common';
import { IfPresent, OptionalBody, QueryInteger } from '#libs/http';
import { CHECKS, VERDICTS, type CheckName, type Verdict } from './file-report.js';
import { SCAN_STATUSES, type ScanStatus } from '../runs/scan-run.entity.js';
import { ScanError, ScanProgressDto } from '../runs/profile-scan.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const NUMBER = { type: Number, minimum: 0 } as const;
export const MOST_DOCUMENTS = 500;
export const MOST_SAMPLES = 20;
const ANY_VALUE = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };

/** Which documents to look at. */
@OptionalBody()
export class StartPrecheckRequest {
  /** Documents of the dataset; left out: those that wait for their ingestion, the oldest 500. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', minItems: 1, maxItems: MOST_DOCUMENTS })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_DOCUMENTS)
  @IsUUID(undefined, { each: true })
  document_ids?: string[];
}

/** What one check found. */
export class PrecheckCheck {
  /** The check. */
  @ApiProperty({ enum: CHECKS })
  check!: CheckName;

  /** `fail`: the file cannot be ingested, or nothing of it would be found. */
  @ApiProperty({ enum: VERDICTS })
  status!: Verdict;

  /** What was found, and what to change. */
  @ApiProperty({ type: String })
  detail!: string;
}

/** What ingestion would make of a file under the policy in force. */
export class PrecheckPrediction {
  /** Chunks. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Tokens of the chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** UTF-16 code units of the canonical text. */
  @ApiProperty(COUNT)
  characters!: number;

  /** Time of the ingestion, by what the dataset has taken for a token so far. */
  @ApiProperty(COUNT)
  milliseconds!: number;

  /** Price of its embeddings by `MODEL_PRICES`; 0 for a model without a price. */
  @ApiProperty(NUMBER)
  cost!: number;
}

/** A file of a precheck. */
export class PrecheckFileResult {
  /** Its place in the scan; events name files by it. */
  @ApiProperty(COUNT)
  position!: number;

  /** The document; null for a sample. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  document_id!: string | null;

  /** Its name. */
  @ApiProperty({ type: String })
  name!: string;

  /** SHA-256 of the file, hexadecimal. */
  @ApiProperty({ type: String })
  sha256!: string;

  /** Size of the file in bytes. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** The worst of all checks; null until the file was looked at. */
  @ApiProperty({ enum: VERDICTS, type: String, nullable: true })
  verdict!: Verdict | null;

  /** All checks; empty until the file was looked at. */
  @ApiProperty({ type: () => [PrecheckCheck] })
  checks!: PrecheckCheck[];

  /** What ingestion would make of it; null until then, and for a file that cannot be read. */
  @ApiProperty({ type: () => PrecheckPrediction, nullable: true })
  prediction!: PrecheckPrediction | null;
}

/** A precheck scan. */
export class PrecheckScanRun {
  /** The scan. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** `pending`: waits for a worker. `failed`: `error` says why. */
  @ApiProperty({ enum: SCAN_STATUSES })
  status!: ScanStatus;

  /** How far it is, in files. */
  @ApiProperty({ type: () => ScanProgressDto })
  progress!: ScanProgressDto;

  /** Why it failed; else null. */
  @ApiProperty({ type: () => ScanError, nullable: true })
  error!: ScanError | null;

  /** When it was asked for. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When it ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}

/** A precheck scan with its files. */
export class PrecheckScanDetail extends PrecheckScanRun {
  /** The files, without documents that were deleted or quarantined since. */
  @ApiProperty({ type: () => [PrecheckFileResult] })
  files!: PrecheckFileResult[];
}

/** How near predictions were to what ingestion made of the same files (by SHA-256). */
export class PrecheckAccuracy {
  /** Files that were ingested after a precheck of them, in this dataset. */
  @ApiProperty(COUNT)
  files!: number;

  /** Median of the relative errors of chunks; null without files. */
  @ApiProperty({ ...NUMBER, nullable: true })
  median_error_chunks!: number | null;

  /** Median of the relative errors of tokens; null without files. */
  @ApiProperty({ ...NUMBER, nullable: true })
  median_error_tokens!: number | null;
}

/** Prechecks of a dataset. */
export class DatasetPrecheck {
  /** The dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** The latest completed one; null when there is none yet. */
  @ApiProperty({ type: () => PrecheckScanDetail, nullable: true })
  latest!: PrecheckScanDetail | null;

  /** The one that is under way; null when there is none. */
  @ApiProperty({ type: () => PrecheckScanRun, nullable: true })
  running!: PrecheckScanRun | null;

  /** How near predictions were. */
  @ApiProperty({ type: () => PrecheckAccuracy })
  accuracy!: PrecheckAccuracy;
}

/** A field of a suggested policy. */
export class SuggestedField {
  /** The field of the policy, as a JSON pointer. */
  @ApiProperty({ type: String, example: '/parsing/ocr' })
  pointer!: string;

  /** What is suggested. */
  @ApiProperty(ANY_VALUE)
  value!: JsonValue;

  /** What the field is where nobody sets it. */
  @ApiProperty(ANY_VALUE)
  default!: JsonValue;

  /** Why. */
  @ApiProperty({ type: String })
  reason!: string;

  /** Numbers of the precheck that it follows from. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  evidence!: Record<string, number>;
}

/** A policy that fits the files of the latest completed precheck. */
export class SuggestedPolicy {
  /** The precheck. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** The whole policy: `PUT /datasets/{id}/ingestion-policy` takes it as it is. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  policy!: JsonObject;

  /** Why, field by field. */
  @ApiProperty({ type: () => [SuggestedField] })
  fields!: SuggestedField[];
}

/** Which events to give. */
export class ScanEventsQuery {
  /** Id of the last event that is known; 0: from the beginning. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  after?: number;
}

/** Something that a precheck told. */
export class PrecheckEvent {
  /** Its id, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** What happened. */
  @ApiProperty({
    enum: ['scan.started', 'scan.progress', 'scan.file', 'scan.finding', 'scan.completed', 'scan.failed'],
  })
  event!: string;

  /** Facts of it; files by their `position`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: JsonObject;

  /** When it happened. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** Events of a precheck. */
export class PrecheckEventList {
  /** In their order, at most 1,000. */
  @ApiProperty({ type: () => [PrecheckEvent] })
  events!: PrecheckEvent[];

  /** What the scan is; no events follow behind those of one that has ended. */
  @ApiProperty({ enum: SCAN_STATUSES })
  status!: ScanStatus;
}
