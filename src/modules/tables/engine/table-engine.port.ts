import type { ViewPart } from './view-part.js';

/** A value of a row, or of a parameter. Numbers that JSON cannot hold exactly are texts; lists and structures are JSON in a text. */
export type CellValue = string | number | boolean | null;

export const RESULT_TYPES = ['integer', 'number', 'date', 'datetime', 'boolean', 'text', 'json'] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

export interface ResultColumn {
  /** Each name once in a result. */
  readonly name: string;
  readonly type: ResultType;
}

/** A document whose rows a table holds. */
export interface SourceDocument {
  readonly id: string;
  readonly name: string;
}

/** A table that statements may read. */
export type EngineTable =
  | {
      readonly kind: 'file';
      readonly name: string;
      /** Names the rows; the same key always means the same ones. */
      readonly file: string;
      readonly document: SourceDocument;
    }
  /** Other tables as one. */
  | { readonly kind: 'view'; readonly name: string; readonly parts: readonly ViewPart[] };

/** Gives the local Parquet file of a key to `work`, which may read it until it settles. */
export type WithTableFile = <T>(file: string, work: (path: string) => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A statement over the tables of a dataset that someone sees. */
export interface TableStatement {
  /** Statements of several owners take turns. */
  readonly owner: string;
  /** Processes that hold tables are never shared between these. */
  readonly dataset: string;
  /** All that it may read, and nothing else exists for it. */
  readonly tables: readonly EngineTable[];
  readonly withFile: WithTableFile;
  readonly sql: string;
  /** By position, or by name. */
  readonly params: readonly CellValue[] | Readonly<Record<string, CellValue>>;
  /** Most rows of the result. */
  readonly limit: number;
  /** Counts from when it is carried out; loading tables and waiting for a turn have bounds of their own. */
  readonly timeoutMs: number;
}

/** Where a row comes from. */
export interface RowSource {
  readonly document_id: string;
  readonly sheet: string | null;
  /** Row in the source, from 1. */
  readonly row: number;
}

export interface TableResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly CellValue[])[];
  /** Whether there are more rows than the limit. */
  readonly truncated: boolean;
  /** One for each row, where the statement is select, filter, order and limit over one table; else null. */
  readonly rowSources: readonly RowSource[] | null;
  /** Documents that the result is computed from, by name; where that cannot be told, all documents of the tables that are read. */
  readonly sourceDocuments: readonly SourceDocument[];
  /** Names of the tables that are read. */
  readonly tables: readonly string[];
}

/** What is used of the memory for tables. */
export interface TableEngineState {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** Carries out statements over tables, each checked, in limited processes. Injection token. */
export abstract class TableEngine {
  /**
   * @throws The errors of `sqlErrors`, the reason of `signal`, and what `withFile` throws.
   */
  abstract run(statement: TableStatement, options?: { readonly signal?: AbortSignal }): Promise<TableResult>;

  abstract state(): TableEngineState;

  /** Ends all processes. */
  abstract close(): Promise<void>;
}
