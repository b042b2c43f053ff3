import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject, JsonValue } from '#libs/common';
import { Answer, Integer, OptionalBody, Uuids } from '#libs/http';
import { CHECKS, VERDICTS, type CheckName, type Verdict } from './file-report.js';
import { SCAN_STATUSES, type ScanStatus } from '../runs/scan-run.entity.js';
import { ScanError, ScanProgressDto } from '../runs/profile-scan.dto.js';

export const MOST_DOCUMENTS = 500;
export const MOST_SAMPLES = 20;
const ANY_VALUE = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };

/** Documents to examine. */
@OptionalBody()
export class StartPrecheckRequest {
  /** Identifiers of documents of the dataset; if left out, the oldest 500 that wait for their ingestion. */
  @Uuids({ optional: true, min: 1, max: MOST_DOCUMENTS })
  document_ids?: string[];
}

/** Result of one check. */
export class PrecheckCheck {
  /** Name of the check. */
  @Answer.Choice(CHECKS)
  check!: CheckName;

  /** Result of the check; `fail`: the file cannot be ingested, or searches would find nothing of it. */
  @Answer.Choice(VERDICTS)
  status!: Verdict;

  /** Description of the result, and what to change. */
  @Answer.Text()
  detail!: string;
}

/** Prediction of the ingestion of a file under the policy in force. */
export class PrecheckPrediction {
  /** Number of chunks. */
  @Answer.Count()
  chunks!: number;

  /** Number of tokens of all chunks. */
  @Answer.Count()
  tokens!: number;

  /** Length of the canonical text in UTF-16 code units. */
  @Answer.Count()
  characters!: number;

  /** Estimated duration of the ingestion in milliseconds, from the average time per token of earlier ingestions of the dataset. */
  @Answer.Count()
  milliseconds!: number;

  /** Price of the embeddings by `MODEL_PRICES`, in the currency of that setting; 0 for a model without a price. */
  @Answer.Decimal({ min: 0 })
  cost!: number;
}

/** A file of a precheck. */
export class PrecheckFileResult {
  /** Number of the file within the scan; events refer to the file by it. */
  @Answer.Count()
  position!: number;

  /** Identifier of the document; null for a sample file. */
  @Answer.Uuid({ nullable: true })
  document_id!: string | null;

  /** Name of the file. */
  @Answer.Text()
  name!: string;

  /** SHA-256 of the file, hexadecimal. */
  @Answer.Text()
  sha256!: string;

  /** Size of the file in bytes. */
  @Answer.Count()
  size_bytes!: number;

  /** Worst result of all checks; null: the file was not examined yet. */
  @Answer.Choice(VERDICTS, { nullable: true })
  verdict!: Verdict | null;

  /** All checks; empty: the file was not examined yet. */
  @Answer.NestedList(() => PrecheckCheck)
  checks!: PrecheckCheck[];

  /** Prediction of the ingestion; null: the file was not examined yet or cannot be read. */
  @Answer.Nested(() => PrecheckPrediction, { nullable: true })
  prediction!: PrecheckPrediction | null;
}

/** A precheck scan. */
export class PrecheckScanRun {
  /** Identifier of the scan. */
  @Answer.Uuid()
  scan_run_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the scan. `pending`: waits for a worker. `failed`: `error` gives the reason. */
  @Answer.Choice(SCAN_STATUSES)
  status!: ScanStatus;

  /** Progress in files. */
  @Answer.Nested(() => ScanProgressDto)
  progress!: ScanProgressDto;

  /** Why the scan failed; null: it did not fail. */
  @Answer.Nested(() => ScanError, { nullable: true })
  error!: ScanError | null;

  /** Time of the request. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which the scan ended; null: not ended. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}

/** A precheck scan with its files. */
export class PrecheckScanDetail extends PrecheckScanRun {
  /** Examined files, without documents that were deleted or quarantined since. */
  @Answer.NestedList(() => PrecheckFileResult)
  files!: PrecheckFileResult[];
}

/** Accuracy of the predictions for files that were ingested later (by SHA-256). */
export class PrecheckAccuracy {
  /** Number of files of the dataset that were ingested after a precheck of the same file. */
  @Answer.Count()
  files!: number;

  /** Median relative error of the predicted number of chunks (0.1 is 10 %); null: there are no such files. */
  @Answer.Decimal({ nullable: true, min: 0 })
  median_error_chunks!: number | null;

  /** Median relative error of the predicted number of tokens (0.1 is 10 %); null: there are no such files. */
  @Answer.Decimal({ nullable: true, min: 0 })
  median_error_tokens!: number | null;
}

/** Prechecks of a dataset. */
export class DatasetPrecheck {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Latest completed precheck; null: none was completed. */
  @Answer.Nested(() => PrecheckScanDetail, { nullable: true })
  latest!: PrecheckScanDetail | null;

  /** Running precheck; null: none is running. */
  @Answer.Nested(() => PrecheckScanRun, { nullable: true })
  running!: PrecheckScanRun | null;

  /** Accuracy of predictions, compared with what ingestion made of the same files. */
  @Answer.Nested(() => PrecheckAccuracy)
  accuracy!: PrecheckAccuracy;
}

/** A field of a suggested policy. */
export class SuggestedField {
  /** JSON pointer to the field of the policy. */
  @Answer.Text({ example: '/parsing/ocr' })
  pointer!: string;

  /** Suggested value; null: not set. */
  @ApiProperty(ANY_VALUE)
  value!: JsonValue;

  /** Default value of the field; null: not set. */
  @ApiProperty(ANY_VALUE)
  default!: JsonValue;

  /** Reason of the suggestion. */
  @Answer.Text()
  reason!: string;

  /** Numbers of the precheck on which the suggestion is based. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  evidence!: Record<string, number>;
}

/** A policy that fits the files of the latest completed precheck. */
export class SuggestedPolicy {
  /** Identifier of the precheck. */
  @Answer.Uuid()
  scan_run_id!: string;

  /** The whole policy, ready for `PUT /datasets/{id}/ingestion-policy`. */
  @Answer.Json()
  policy!: JsonObject;

  /** Suggested fields with their reasons. */
  @Answer.NestedList(() => SuggestedField)
  fields!: SuggestedField[];
}

/** Position from which events are returned. */
export class ScanEventsQuery {
  /** Id of the last event that was received; 0: from the beginning. */
  @Integer({ query: true, min: 0, max: 1_000_000, default: 0 })
  after?: number;
}

/** An event of a precheck. */
export class PrecheckEvent {
  /** Id of the event, from 1. */
  @Answer.Integer({ min: 1 })
  id!: number;

  /** Name of the event. */
  @Answer.Choice(['scan.started', 'scan.progress', 'scan.file', 'scan.finding', 'scan.completed', 'scan.failed'])
  event!: string;

  /** Data of the event; files are named by their `position`. */
  @Answer.Json()
  data!: JsonObject;

  /** Time of the event. */
  @Answer.Instant()
  created_at!: string;
}

/** Events of a precheck. */
export class PrecheckEventList {
  /** Events in order, at most 1,000. */
  @Answer.NestedList(() => PrecheckEvent)
  events!: PrecheckEvent[];

  /** Status of the scan; once it has ended, no more events follow. */
  @Answer.Choice(SCAN_STATUSES)
  status!: ScanStatus;
}
