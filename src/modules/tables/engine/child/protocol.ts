import type { Refusal } from '../guard/statement-verdict.js';
import type { CellValue, ResultColumn } from '../table-engine.port.js';
import type { ViewPart } from '../view-part.js';

/** Fixed for the life of a child; its one argument, as JSON. */
export interface ChildOptions {
  /** Bound of what the engine holds and works with. */
  readonly memoryBytes: number;
  readonly threads: number;
}

/** A table as a child loads it. */
export type TableToLoad =
  /** The rows of a Parquet file, at a path of the child. */
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  /** Rows of several loaded tables as one; `columns` are SQL expressions in the order of the view's columns. */
  | { readonly kind: 'view'; readonly name: string; readonly parts: readonly ViewPart[] };

/** A statement that is to be carried out. */
export interface StatementToRun {
  readonly sql: string;
  /** By name; those by position are called `1`, `2`… */
  readonly params: Readonly<Record<string, CellValue>>;
  readonly areParamsNamed: boolean;
  /** Names of all tables that the statement may read. */
  readonly tables: readonly string[];
  readonly limit: number;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
}

export type ChildCommand =
  | { readonly type: 'load'; readonly id: number; readonly tables: readonly TableToLoad[] }
  | { readonly type: 'run'; readonly id: number; readonly statement: StatementToRun }
  | { readonly type: 'stop'; readonly id: number };

/** Outcome of a statement that the guard allowed. */
export type FailureCode = 'invalid' | 'failed' | 'timeout' | 'memory' | 'result_too_large' | 'stopped';

export interface RowPlace {
  readonly document_id: string;
  readonly sheet: string | null;
  readonly row: number;
}

export type RunOutcome =
  | {
      readonly kind: 'rows';
      readonly columns: readonly ResultColumn[];
      readonly rows: readonly (readonly CellValue[])[];
      readonly truncated: boolean;
      readonly places: readonly RowPlace[] | null;
      /** Ids of the documents that the rows come from; null: of all documents of `tables`. */
      readonly documents: readonly string[] | null;
      /** The dataset's tables that the statement reads. */
      readonly tables: readonly string[];
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Tables that the statement reads and that this child has not loaded. */
  | { readonly kind: 'needs'; readonly tables: readonly string[] }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string; readonly at?: number };

/** Resources of a child, sent with every answer. */
export interface ChildUsage {
  readonly cpuSeconds: number;
  /** Memory of its own, without what all processes share. */
  readonly memoryBytes: number;
}

export type ChildAnswer =
  /** Once, when it takes commands. */
  | { readonly type: 'ready'; readonly id: 0; readonly usage: ChildUsage }
  | { readonly type: 'loaded'; readonly id: number; readonly usage: ChildUsage }
  | {
      readonly type: 'load_failed';
      readonly id: number;
      readonly isMemory: boolean;
      readonly detail: string;
      readonly usage: ChildUsage;
    }
  | { readonly type: 'ran'; readonly id: number; readonly outcome: RunOutcome; readonly usage: ChildUsage };
