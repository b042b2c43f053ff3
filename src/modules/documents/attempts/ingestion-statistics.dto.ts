import { Answer } from '#libs/http';
import { DocumentCountsDto } from '../../datasets/index.js';
import { INGESTION_STAGES, type IngestionStage } from '../record/document.entity.js';

const MEASURED = [...INGESTION_STAGES, 'total'] as const;

/** Documents that are being processed, by the stage that they are in. */
export class DocumentsByStage {
  /** Number of documents in the stage `parsing`. */
  @Answer.Count()
  parsing!: number;

  /** Number of documents in the stage `chunking`. */
  @Answer.Count()
  chunking!: number;

  /** Number of documents in the stage `embedding`. */
  @Answer.Count()
  embedding!: number;

  /** Number of documents in the stage `vector_write`. */
  @Answer.Count()
  vector_write!: number;
}

/** Ingestions completed in a recent period. */
export class IngestionThroughput {
  /** Length of the measured period in hours; the period ends now. */
  @Answer.Integer({ min: 1 })
  window_hours!: number;

  /** Number of ingestions completed in the period, reingests included. */
  @Answer.Count()
  completed!: number;

  /** Number of ingestions completed per hour in the period. */
  @Answer.Decimal({ min: 0 })
  documents_per_hour!: number;
}

/** How long a stage takes, from the timelines of the last 7 days; null while there is nothing to measure. */
export class StageDuration {
  /** The stage; `total` is an ingestion from its first stage to its last. */
  @Answer.Choice(MEASURED)
  stage!: IngestionStage | 'total';

  /** Number of measured durations; stages whose results were reused from an earlier attempt are not measured. */
  @Answer.Count()
  count!: number;

  /** Median duration in milliseconds; null: nothing was measured. */
  @Answer.Decimal({ nullable: true, min: 0 })
  p50_ms!: number | null;

  /** 95th percentile of the duration in milliseconds; null: nothing was measured. */
  @Answer.Decimal({ nullable: true, min: 0 })
  p95_ms!: number | null;

  /** 99th percentile of the duration in milliseconds; null: nothing was measured. */
  @Answer.Decimal({ nullable: true, min: 0 })
  p99_ms!: number | null;
}

/** Failed documents of one code. */
export class FailuresByCode {
  /** Code of the failure, for example `ENCRYPTED`. */
  code!: string;

  /** Number of documents that are failed with this code now. */
  @Answer.Integer({ min: 1 })
  count!: number;
}

/** What happened to the documents of a dataset. */
export class IngestionStatistics {
  /** Number of documents by status. */
  @Answer.Nested(DocumentCountsDto)
  document_counts!: DocumentCountsDto;

  /** Number of documents that are being processed, by stage. */
  @Answer.Nested(DocumentsByStage)
  stages!: DocumentsByStage;

  /** Ingestions completed in a recent period. */
  @Answer.Nested(IngestionThroughput)
  throughput!: IngestionThroughput;

  /** Durations of the stages in the last 7 days, in the order of the stages. */
  @Answer.NestedList(StageDuration)
  durations!: StageDuration[];

  /** Number of chunks of all documents. */
  @Answer.Count()
  chunks!: number;

  /** Number of tokens of all chunks. */
  @Answer.Count()
  tokens!: number;

  /** Size of all files in bytes. */
  @Answer.Count()
  bytes!: number;

  /** Number of failed documents by code, the most frequent code first. */
  @Answer.NestedList(FailuresByCode)
  failures!: FailuresByCode[];
}
