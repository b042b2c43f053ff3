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
  /** Identifiers of documents of the dataset; if left out, the oldest 500 that wait for their ingestion. */
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
  /** Name of the check. */
  @ApiProperty({ enum: CHECKS })
  check!: CheckName;

  /** Result of the check; `fail`: the file cannot be ingested, or searches would find nothing of it. */
  @ApiProperty({ enum: VERDICTS })
  status!: Verdict;

  /** Description of the result, and what to change. */
  @ApiProperty({ type: String })
  detail!: string;
}

/** What ingestion would make of a file under the policy in force. */
export class PrecheckPrediction {
  /** Number of chunks. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Number of tokens of all chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Length of the canonical text in UTF-16 code units. */
  @ApiProperty(COUNT)
  characters!: number;

  /** Estimated duration of the ingestion in milliseconds, from the time that the dataset has needed for each token so far. */
  @ApiProperty(COUNT)
  milliseconds!: number;

  /** Price of the embeddings by `MODEL_PRICES`, in their currency; 0 for a model without a price. */
  @ApiProperty(NUMBER)
  cost!: number;
}

/** A file of a precheck. */
export class PrecheckFileResult {
  /** Number of the file within the scan, by which events name it. */
  @ApiProperty(COUNT)
  position!: number;

  /** Identifier of the document; null for a sample file. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  document_id!: string | null;

  /** Name of the file. */
  @ApiProperty({ type: String })
  name!: string;

  /** SHA-256 of the file, hexadecimal. */
  @ApiProperty({ type: String })
  sha256!: string;

  /** Size of the file in bytes. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** Worst result of all checks; null: the file was not examined yet. */
  @ApiProperty({ enum: VERDICTS, type: String, nullable: true })
  verdict!: Verdict | null;

  /** All checks; empty: the file was not examined yet. */
  @ApiProperty({ type: () => [PrecheckCheck] })
  checks!: PrecheckCheck[];

  /** Prediction of the ingestion; null: the file was not examined yet or cannot be read. */
  @ApiProperty({ type: () => PrecheckPrediction, nullable: true })
  prediction!: PrecheckPrediction | null;
}

/** A precheck scan. */
export class PrecheckScanRun {
  /** Identifier of the scan. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Status of the scan. `pending`: waits for a worker. `failed`: `error` gives the reason. */
  @ApiProperty({ enum: SCAN_STATUSES })
  status!: ScanStatus;

  /** Progress in files. */
  @ApiProperty({ type: () => ScanProgressDto })
  progress!: ScanProgressDto;

  /** Why the scan failed; null: it did not fail. */
  @ApiProperty({ type: () => ScanError, nullable: true })
  error!: ScanError | null;

  /** Time of the request. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time at which the scan ended; null: not ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}

/** A precheck scan with its files. */
export class PrecheckScanDetail extends PrecheckScanRun {
  /** Examined files, without documents that were deleted or quarantined since. */
  @ApiProperty({ type: () => [PrecheckFileResult] })
  files!: PrecheckFileResult[];
}

/** How near predictions were to what ingestion made of the same files (by SHA-256). */
export class PrecheckAccuracy {
  /** Number of files of the dataset that were ingested after a precheck of the same file. */
  @ApiProperty(COUNT)
  files!: number;

  /** Median relative error of the predicted number of chunks; null: there are no such files. */
  @ApiProperty({ ...NUMBER, nullable: true })
  median_error_chunks!: number | null;

  /** Median relative error of the predicted number of tokens; null: there are no such files. */
  @ApiProperty({ ...NUMBER, nullable: true })
  median_error_tokens!: number | null;
}

/** Prechecks of a dataset. */
export class DatasetPrecheck {
  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Latest completed precheck; null: none was completed. */
  @ApiProperty({ type: () => PrecheckScanDetail, nullable: true })
  latest!: PrecheckScanDetail | null;

  /** Running precheck; null: none is running. */
  @ApiProperty({ type: () => PrecheckScanRun, nullable: true })
  running!: PrecheckScanRun | null;

  /** Accuracy of predictions, compared with what ingestion made of the same files. */
  @ApiProperty({ type: () => PrecheckAccuracy })
  accuracy!: PrecheckAccuracy;
}

/** A field of a suggested policy. */
export class SuggestedField {
  /** JSON pointer to the field of the policy. */
  @ApiProperty({ type: String, example: '/parsing/ocr' })
  pointer!: string;

  /** Suggested value. */
  @ApiProperty(ANY_VALUE)
  value!: JsonValue;

  /** Default value of the field. */
  @ApiProperty(ANY_VALUE)
  default!: JsonValue;

  /** Reason of the suggestion. */
  @ApiProperty({ type: String })
  reason!: string;

  /** Numbers of the precheck on which the suggestion is based. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  evidence!: Record<string, number>;
}

/** A policy that fits the files of the latest completed precheck. */
export class SuggestedPolicy {
  /** Identifier of the precheck. */
  @ApiProperty({ format: 'uuid' })
  scan_run_id!: string;

  /** The whole policy, ready for `PUT /datasets/{id}/ingestion-policy`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  policy!: JsonObject;

  /** Suggested fields with their reasons. */
  @ApiProperty({ type: () => [SuggestedField] })
  fields!: SuggestedField[];
}

/** Which events to give. */
export class ScanEventsQuery {
  /** Id of the last event that was received; 0: from the beginning. */
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
  /** Id of the event, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** Name of the event. */
  @ApiProperty({
    enum: ['scan.started', 'scan.progress', 'scan.file', 'scan.finding', 'scan.completed', 'scan.failed'],
  })
  event!: string;

  /** Data of the event; files are named by their `position`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: JsonObject;

  /** Time of the event. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** Events of a precheck. */
export class PrecheckEventList {
  /** Events in order, at most 1,000. */
  @ApiProperty({ type: () => [PrecheckEvent] })
  events!: PrecheckEvent[];

  /** Status of the scan; once it has ended, no more events follow. */
  @ApiProperty({ enum: SCAN_STATUSES })
  status!: ScanStatus;
}
