import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DocumentCountsDto } from '../../datasets/index.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const PARITIES = ['equal', 'missing_rows', 'surplus_rows', 'unknown'] as const;
export type IndexParityName = (typeof PARITIES)[number];

/** Documents whose chunks are not what the dataset would make today. */
export class StaleDocuments {
  /** Ingested under another ingestion policy than the one in force. */
  @ApiProperty(COUNT)
  policy!: number;

  /** Embedded by another model than the one that the dataset is to have, or as an earlier version of the service did it. */
  @ApiProperty(COUNT)
  embedding!: number;

  /** With `chunking.fit_model`: cut to fit the embedding model that the dataset had before its last re-embedding. */
  @ApiProperty(COUNT)
  fit!: number;
}

/** The vector store against the database. */
export class IndexParity {
  /** Rows that searches need, by the database. */
  @ApiProperty(COUNT)
  expected_rows!: number;

  /** Rows that the vector store holds; null: it did not answer. */
  @ApiProperty({ ...COUNT, nullable: true })
  stored_rows!: number | null;

  /** Surplus rows belong to running or replaced ingestions and are no fault. */
  @ApiProperty({ enum: PARITIES })
  parity!: IndexParityName;
}

/** Something to do about the dataset. */
export class HealthAdvice {
  /** Stable code, for instance `FAILED_DOCUMENTS`. */
  code!: string;

  /** What is the matter, and what helps. */
  detail!: string;
}

/** How a dataset is; nothing but `status` while no document is completed. */
export class DatasetHealth {
  /**
   * `empty`: no document is completed; `healthy`: the documents are as the policy and the model of the dataset say, `advice` may offer something better;
   * `degraded`: `advice` says what to do.
   */
  @ApiProperty({ enum: ['empty', 'healthy', 'degraded'] })
  status!: 'empty' | 'healthy' | 'degraded';

  /** Documents by state. */
  @ApiPropertyOptional({ type: DocumentCountsDto })
  document_counts?: DocumentCountsDto;

  /** Chunks that a search can return. */
  @ApiPropertyOptional(COUNT)
  chunk_count?: number;

  /** Completed documents that no search can find because they have no chunks. */
  @ApiPropertyOptional(COUNT)
  documents_without_chunks?: number;

  /** Documents that a reingest would change. */
  @ApiPropertyOptional({ type: StaleDocuments })
  stale?: StaleDocuments;

  /** Failed documents among all, 0 to 1. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1 })
  failed_share?: number;

  /** Whether the vector store holds what the database shows. */
  @ApiPropertyOptional({ type: IndexParity })
  index?: IndexParity;

  /** When a document was last completed. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  last_ingestion_at?: string | null;

  /** What to do, or what is offered, if anything. */
  @ApiPropertyOptional({ type: [HealthAdvice] })
  advice?: HealthAdvice[];
}
