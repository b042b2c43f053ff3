import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { AnswerPart } from '../question-rules/describe-answer.js';
import type { QueryParts } from '../question-rules/query-parts.js';
import type { RequestContext } from '#libs/tenancy';

/** A row that an answer is made of, as the document shows it. */
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
  /** Where `text`, the row's line, is in the document's canonical text; UTF-16 code units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a table says to a question. */
export interface TableAnswer {
  readonly datasetId: DatasetId;
  /** The table that was asked, single or combined. */
  readonly table: string;
  readonly sql: string;
  readonly explanation: string;
  /** What the statement reads, in parts; null where they do not cover it. */
  readonly reading: QueryParts | null;
  readonly assumptions: readonly string[];
  /** From 0 to 1, as in questions over tables. */
  readonly confidence: number;
  /** Words of the question that the statement does not account for. */
  readonly unexplained: readonly string[];
  /** The answer in words; each part names the rows that it is made of by their index in `rows`. */
  readonly parts: readonly AnswerPart[];
  /** Some of the rows that it is made of, at least one. */
  readonly rows: readonly AnswerRow[];
  /** Of how many rows it is made. */
  readonly rowCount: number;
  /** Headers of the columns, as the document has them. */
  readonly labels: readonly string[];
  /** Where the rows of the table are in the texts of its documents, from the first to the last. */
  readonly places: readonly { readonly documentId: string; readonly start: number; readonly end: number }[];
}

/** `none`: no table answers. `failed`: that could not be told, because the tables could not be read in time. */
export type TableLookup =
  { readonly kind: 'answer'; readonly answer: TableAnswer } | { readonly kind: 'none' } | { readonly kind: 'failed' };

/** Answers questions from the tables of datasets, by rules. Injection token. */
export abstract class TableAnswers {
  /**
   * The best answer that the tables of any of the datasets give. All that it tells is of one moment: what a document shows then. Datasets
   * that the caller does not see have no tables, and without the right `tables:query` none has. Every answer has rows; what is
   * made of no row is none.
   * @throws nothing but the reason of `signal`.
   */
  abstract find(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    question: string,
    signal: AbortSignal,
  ): Promise<TableLookup>;
}
