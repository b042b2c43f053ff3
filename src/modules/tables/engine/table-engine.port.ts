import type { ViewPart } from './view-part.js';

/** A value of a row or of a parameter. Numbers that JSON cannot represent exactly are texts; lists and structures are JSON text. */
export type CellValue = string | number | boolean | null;

export const RESULT_TYPES = ['integer', 'number', 'date', 'datetime', 'boolean', 'text', 'json'] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

export interface ResultColumn {
  /** Unique in a result. */
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
      /** Identifies the rows; the same key always means the same rows. */
      readonly file: string;
      readonly document: SourceDocument;
    }
  /** Other tables as one. */
  | { readonly kind: 'view'; readonly name: string; readonly parts: readonly ViewPart[] };

/** Calls `work` with the path of the local Parquet file of a key; the file stays until `work` settles. */
export type WithTableFile = <T>(file: string, work: (path: string) => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A statement over the visible tables of a dataset. */
export interface TableStatement {
  /** Statements of several owners take turns. */
  readonly owner: string;
  /** A process that holds tables is never shared between different values of this. */
  readonly dataset: string;
  /** The only tables that exist for the statement. */
  readonly tables: readonly EngineTable[];
  readonly withFile: WithTableFile;
  readonly sql: string;
  /** Values by position or by name. */
  readonly params: readonly CellValue[] | Readonly<Record<string, CellValue>>;
  /** Maximum number of rows of the result. */
  readonly limit: number;
  /** Milliseconds from the start of the execution; loading tables and waiting for a turn have limits of their own. */
  readonly timeoutMs: number;
}

/** Source of a row. */
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
  /** One source for each row, where the statement only selects, filters, orders and limits rows of one table; otherwise null. */
  readonly rowSources: readonly RowSource[] | null;
  /** Documents that the result is computed from, ordered by name; all documents of the tables that are read where it cannot be determined. */
  readonly sourceDocuments: readonly SourceDocument[];
  /** Names of the tables that are read. */
  readonly tables: readonly string[];
}

/** Usage of the memory for tables. */
export interface TableEngineState {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** Checks statements over tables and executes them in limited processes. Injection token. */
export abstract class TableEngine {
  /**
   * @throws The errors of `sqlErrors`, the reason of `signal`, and what `withFile` throws.
   */
  abstract run(statement: TableStatement, options?: { readonly signal?: AbortSignal }): Promise<TableResult>;

  abstract state(): TableEngineState;

  /** Ends all processes. */
  abstract close(): Promise<void>;
}
