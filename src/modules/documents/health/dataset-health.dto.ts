import { Answer } from '#libs/http';
import { DocumentCountsDto } from '../../datasets/index.js';

const PARITIES = ['equal', 'missing_rows', 'surplus_rows', 'unknown'] as const;
export type IndexParityName = (typeof PARITIES)[number];

/** Documents whose chunks differ from what ingestion would make of them today. */
export class StaleDocuments {
  /** Number of documents not ingested under the present ingestion policy. */
  @Answer.Count()
  policy!: number;

  /** Number of documents with vectors of another embedding model than the dataset is to have, or of an earlier version of the service. */
  @Answer.Count()
  embedding!: number;

  /**
   * Number of documents whose chunks still fit the embedding model that the dataset had before its last re-embedding
   * (`chunking.fit_model`).
   */
  @Answer.Count()
  fit!: number;
}

/** Comparison of the vector store with the database. */
export class IndexParity {
  /** Number of rows that searches need according to the database. */
  @Answer.Count()
  expected_rows!: number;

  /** Number of rows that the vector store holds; null: it did not answer. */
  @Answer.Count({ nullable: true })
  stored_rows!: number | null;

  /** Comparison of the two numbers. `surplus_rows` is no fault: the rows belong to running or replaced ingestions. */
  @Answer.Choice(PARITIES)
  parity!: IndexParityName;
}

/** A recommended change. */
export class HealthAdvice {
  /** Stable code, for example `FAILED_DOCUMENTS`. */
  code!: string;

  /** Description of the problem and its solution. */
  detail!: string;
}

/** Health of a dataset; only `status` while no document is completed. */
export class DatasetHealth {
  /**
   * `empty`: no document is completed. `healthy`: the documents match the policy and the model of the dataset; `advice` may offer an
   * improvement. `degraded`: `advice` says what to do.
   */
  @Answer.Choice(['empty', 'healthy', 'degraded'])
  status!: 'empty' | 'healthy' | 'degraded';

  /** Number of documents by status. */
  @Answer.Nested(DocumentCountsDto, { optional: true })
  document_counts?: DocumentCountsDto;

  /** Number of chunks that a search can return. */
  @Answer.Count({ optional: true })
  chunk_count?: number;

  /** Number of completed documents that no search can find because they have no chunks. */
  @Answer.Count({ optional: true })
  documents_without_chunks?: number;

  /** Number of documents that a reingest would change, by cause. */
  @Answer.Nested(StaleDocuments, { optional: true })
  stale?: StaleDocuments;

  /** Share of failed documents among all, 0 to 1. */
  @Answer.Share({ optional: true })
  failed_share?: number;

  /** Comparison of the vector store with the database. */
  @Answer.Nested(IndexParity, { optional: true })
  index?: IndexParity;

  /** Time at which a document was last completed; null: none was. */
  @Answer.Instant({ optional: true, nullable: true })
  last_ingestion_at?: string | null;

  /** Recommended changes. */
  @Answer.NestedList(HealthAdvice, { optional: true })
  advice?: HealthAdvice[];
}
