import type { QuestionColumn, QuestionTable } from './question-table.js';

export type Literal = string | number | boolean;
export type Comparison = '=' | '<>' | '>' | '>=' | '<' | '<=';

/** A demand on rows; numbers compared with a column of words are compared with the first number in each. */
export type Condition =
  | { readonly kind: 'compare'; readonly column: QuestionColumn; readonly op: Comparison; readonly value: Literal }
  | { readonly kind: 'between'; readonly column: QuestionColumn; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'in'; readonly column: QuestionColumn; readonly values: readonly string[]; readonly not: boolean }
  | { readonly kind: 'has_text'; readonly column: QuestionColumn; readonly text: string; readonly not: boolean }
  /** The year or the month of a date. */
  | {
      readonly kind: 'date_part';
      readonly column: QuestionColumn;
      readonly part: 'year' | 'month';
      readonly op: Comparison | 'between';
      readonly value: number;
      /** The end of `between`, included. */
      readonly high?: number;
    }
  | { readonly kind: 'empty'; readonly column: QuestionColumn; readonly not: boolean }
  /** Above or below the value of another row. */
  | {
      readonly kind: 'than';
      readonly column: QuestionColumn;
      readonly op: '>' | '<';
      readonly table: QuestionTable;
      readonly anchor: Condition;
    }
  /** What a row has in one column against what it has in another. */
  | {
      readonly kind: 'columns';
      readonly column: QuestionColumn;
      readonly op: Comparison;
      readonly other: QuestionColumn;
    }
  | { readonly kind: 'any'; readonly of: readonly Condition[] };

export type Aggregate = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';

export interface Measure {
  readonly function: Aggregate;
  /** None: rows are counted. */
  readonly column: QuestionColumn | undefined;
}

/** `row`: the order of the document. */
export interface Order {
  readonly by: QuestionColumn | 'row';
  readonly descending: boolean;
}

/** The query that a question makes over one table. */
export type TableQuery = { readonly table: QuestionTable; readonly where: readonly Condition[] } & (
  | {
      readonly kind: 'rows';
      readonly columns: readonly QuestionColumn[];
      readonly distinct: boolean;
      readonly order: Order | undefined;
      readonly limit: number | undefined;
    }
  | { readonly kind: 'measure'; readonly measure: Measure }
  | {
      readonly kind: 'groups';
      readonly by: QuestionColumn;
      readonly measure: Measure;
      /** None: by the group. */
      readonly descending: boolean | undefined;
      readonly limit: number | undefined;
      readonly showMeasure: boolean;
      readonly having: { readonly op: Comparison; readonly value: number } | undefined;
    }
  /** The row before or after the rows of `anchor`. */
  | {
      readonly kind: 'neighbour';
      readonly columns: readonly QuestionColumn[];
      readonly anchor: readonly Condition[];
      readonly by: QuestionColumn | 'row';
      readonly direction: 'next' | 'previous';
    }
  | {
      readonly kind: 'difference';
      readonly measure: Measure;
      readonly first: readonly Condition[];
      readonly second: readonly Condition[];
      /** Whether the sign matters: the second less the first. */
      readonly signed: boolean;
    }
  /** `yes` or `no`: whether there is such a row. */
  | { readonly kind: 'exists' }
  /** One of two words: whether a value is above another. */
  | {
      readonly kind: 'verdict';
      readonly column: QuestionColumn;
      readonly value: number;
      readonly above: string;
      readonly below: string;
    }
);

/** A part of a query that belongs to one kind. */
export type QueryOf<K extends TableQuery['kind']> = Extract<TableQuery, { readonly kind: K }>;
