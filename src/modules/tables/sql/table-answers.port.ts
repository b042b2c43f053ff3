import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { AnswerPart } from '../question-rules/describe-answer.js';
import type { QueryParts } from '../question-rules/query-parts.js';
import type { RequestContext } from '#libs/tenancy';

/** A row that an answer is computed from, as the document shows it. */
export interface AnswerRow {
  readonly datasetId: DatasetId;
  readonly documentId: DocumentId;
  readonly documentName: string;
  readonly documentPath: string | null;
  readonly documentCreatedAt: Date;
  readonly revision: number;
  /** The chunk that holds the row, or its beginning. */
  readonly chunkId: ChunkId;
  /** Name of the table of this document, as `GET /datasets/{id}/tables/{table}` takes it. */
  readonly tableId: string;
  readonly sheet: string | null;
  /** Row in the source, from 1. */
  readonly row: number;
  readonly page: number | null;
  /** Position of `text`, the line of the row, in the document's canonical text, in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An answer that a table gives to a question. */
export interface TableAnswer {
  readonly datasetId: DatasetId;
  /** The table that was queried, single or combined. */
  readonly table: string;
  readonly sql: string;
  readonly explanation: string;
  /** What the statement reads, in parts; null where the parts do not cover it. */
  readonly reading: QueryParts | null;
  readonly assumptions: readonly string[];
  /** Confidence, 0 to 1, as in questions over tables. */
  readonly confidence: number;
  /** Words of the question that the statement does not account for. */
  readonly unexplained: readonly string[];
  /** The answer in words; each part refers to its rows by their index in `rows`. */
  readonly parts: readonly AnswerPart[];
  /** Some of the rows that the answer is computed from, at least one. */
  readonly rows: readonly AnswerRow[];
  /** Number of rows that the answer is computed from. */
  readonly rowCount: number;
  /** Headers of the columns, as the document has them. */
  readonly labels: readonly string[];
  /** For each document, the stretch of its text from the first to the last row of the table. */
  readonly places: readonly { readonly documentId: string; readonly start: number; readonly end: number }[];
}

/** `none`: no table answers. `failed`: unknown, since the tables could not be read in time. */
export type TableLookup =
  { readonly kind: 'answer'; readonly answer: TableAnswer } | { readonly kind: 'none' } | { readonly kind: 'failed' };

/** Answers questions from the tables of datasets, by rules. Injection token. */
export abstract class TableAnswers {
  /**
   * The best answer from the tables of all the datasets, entirely from the state at one moment. Datasets that the caller does not see count as
   * having no tables, and so do all without the permission `tables:query`. Every answer has rows; a result computed from no row is not an answer.
   * @throws nothing but the reason of `signal`.
   */
  abstract find(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    question: string,
    signal: AbortSignal,
  ): Promise<TableLookup>;
}
