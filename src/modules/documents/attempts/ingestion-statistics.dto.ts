import { ApiProperty } from '@nestjs/swagger';
import { DocumentCountsDto } from '../../datasets/index.js';
import { INGESTION_STAGES, type IngestionStage } from '../record/document.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const MILLISECONDS = { type: Number, minimum: 0, nullable: true } as const;
const MEASURED = [...INGESTION_STAGES, 'total'] as const;

/** Documents that are being processed, by the stage that they are in. */
export class DocumentsByStage {
  /** Becoming text. */
  @ApiProperty(COUNT)
  parsing!: number;

  /** Being cut. */
  @ApiProperty(COUNT)
  chunking!: number;

  /** Becoming vectors. */
  @ApiProperty(COUNT)
  embedding!: number;

  /** Being written to the vector store. */
  @ApiProperty(COUNT)
  vector_write!: number;
}

/** How much was ingested of late. */
export class IngestionThroughput {
  /** Length of the time that is looked at, in hours, up to now. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  window_hours!: number;

  /** Ingestions that completed in it, reingests included. */
  @ApiProperty(COUNT)
  completed!: number;

  /** The same per hour. */
  @ApiProperty({ type: Number, minimum: 0 })
  documents_per_hour!: number;
}

/** How long a stage takes, from the timelines of the last 7 days; null while there is nothing to measure. */
export class StageDuration {
  /** The stage; `total` is an ingestion from its first stage to its last. */
  @ApiProperty({ enum: MEASURED })
  stage!: IngestionStage | 'total';

  /** How many were measured; results of earlier attempts that were used again are not. */
  @ApiProperty(COUNT)
  count!: number;

  /** Median duration in milliseconds. */
  @ApiProperty(MILLISECONDS)
  p50_ms!: number | null;

  /** 95th percentile of the duration in milliseconds. */
  @ApiProperty(MILLISECONDS)
  p95_ms!: number | null;

  /** 99th percentile of the duration in milliseconds. */
  @ApiProperty(MILLISECONDS)
  p99_ms!: number | null;
}

/** Failed documents of one code. */
export class FailuresByCode {
  /** Code of the failure, for instance `ENCRYPTED`. */
  code!: string;

  /** How many documents show it now. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

/** What happened to the documents of a dataset. */
export class IngestionStatistics {
  /** Documents by state. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Documents that are being processed. */
  @ApiProperty({ type: DocumentsByStage })
  stages!: DocumentsByStage;

  /** How much was ingested of late. */
  @ApiProperty({ type: IngestionThroughput })
  throughput!: IngestionThroughput;

  /** How long each stage takes, in the order of the stages. */
  @ApiProperty({ type: [StageDuration] })
  durations!: StageDuration[];

  /** Chunks of all documents. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Tokens of all chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Bytes of all files. */
  @ApiProperty(COUNT)
  bytes!: number;

  /** Failed documents by code, the most frequent first. */
  @ApiProperty({ type: [FailuresByCode] })
  failures!: FailuresByCode[];
}
