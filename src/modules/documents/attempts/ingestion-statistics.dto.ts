import { ApiProperty } from '@nestjs/swagger';
import { DocumentCountsDto } from '../../datasets/index.js';
import { INGESTION_STAGES, type IngestionStage } from '../record/document.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const MILLISECONDS = { type: Number, minimum: 0, nullable: true } as const;
const MEASURED = [...INGESTION_STAGES, 'total'] as const;

/** Documents that are being processed, by the stage that they are in. */
export class DocumentsByStage {
  /** Number of documents in the stage `parsing`. */
  @ApiProperty(COUNT)
  parsing!: number;

  /** Number of documents in the stage `chunking`. */
  @ApiProperty(COUNT)
  chunking!: number;

  /** Number of documents in the stage `embedding`. */
  @ApiProperty(COUNT)
  embedding!: number;

  /** Number of documents in the stage `vector_write`. */
  @ApiProperty(COUNT)
  vector_write!: number;
}

/** Ingestions completed in a recent period. */
export class IngestionThroughput {
  /** Length of the measured period in hours; the period ends now. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  window_hours!: number;

  /** Number of ingestions completed in the period, reingests included. */
  @ApiProperty(COUNT)
  completed!: number;

  /** Number of ingestions completed per hour in the period. */
  @ApiProperty({ type: Number, minimum: 0 })
  documents_per_hour!: number;
}

/** How long a stage takes, from the timelines of the last 7 days; null while there is nothing to measure. */
export class StageDuration {
  /** The stage; `total` is an ingestion from its first stage to its last. */
  @ApiProperty({ enum: MEASURED })
  stage!: IngestionStage | 'total';

  /** Number of measured durations; stages whose results were reused from an earlier attempt are not measured. */
  @ApiProperty(COUNT)
  count!: number;

  /** Median duration in milliseconds; null: nothing was measured. */
  @ApiProperty(MILLISECONDS)
  p50_ms!: number | null;

  /** 95th percentile of the duration in milliseconds; null: nothing was measured. */
  @ApiProperty(MILLISECONDS)
  p95_ms!: number | null;

  /** 99th percentile of the duration in milliseconds; null: nothing was measured. */
  @ApiProperty(MILLISECONDS)
  p99_ms!: number | null;
}

/** Failed documents of one code. */
export class FailuresByCode {
  /** Code of the failure, for example `ENCRYPTED`. */
  code!: string;

  /** Number of documents that are failed with this code now. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

/** What happened to the documents of a dataset. */
export class IngestionStatistics {
  /** Number of documents by status. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Number of documents that are being processed, by stage. */
  @ApiProperty({ type: DocumentsByStage })
  stages!: DocumentsByStage;

  /** Ingestions completed in a recent period. */
  @ApiProperty({ type: IngestionThroughput })
  throughput!: IngestionThroughput;

  /** Durations of the stages in the last 7 days, in the order of the stages. */
  @ApiProperty({ type: [StageDuration] })
  durations!: StageDuration[];

  /** Number of chunks of all documents. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Number of tokens of all chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Size of all files in bytes. */
  @ApiProperty(COUNT)
  bytes!: number;

  /** Number of failed documents by code, the most frequent code first. */
  @ApiProperty({ type: [FailuresByCode] })
  failures!: FailuresByCode[];
}
