import type { TableResult } from '../engine/table-engine.port.js';
import type { Reading } from '../question-rules/read-question.js';
import type { QuestionWarningCode, RefusalReason } from './query-natural-language.dto.js';
import type { ShownTable } from '../catalogue/document-tables.repository.js';

/** A statement made of a question, and what is known of it; by rules or by a model. */
export type Understanding = Pick<
  Reading,
  'table' | 'sql' | 'explanation' | 'assumptions' | 'confidence' | 'unexplained'
> & {
  /** Names of all tables that the statement reads. */
  readonly tables: readonly string[];
};

export interface QuestionWarning {
  readonly code: QuestionWarningCode;
  readonly detail: string;
}

/** A chat model that was asked. */
export interface AskedModel {
  /** Provider and model. */
  readonly name: string;
  readonly promptVersion: number;
  readonly calls: number;
  /** The rows of the tables that it was shown. */
  readonly shown: readonly ShownTable[];
}

/** Outcome of a question. */
export interface QuestionAnswer {
  readonly method: 'rules' | 'model';
  /** The best reading, also of a refused question. */
  readonly reading: Understanding | undefined;
  readonly refusal: { readonly code: RefusalReason; readonly reason: string } | undefined;
  /** Undefined for a dry run and a refused question. */
  readonly result: TableResult | undefined;
  readonly warnings: readonly QuestionWarning[];
  /** The model that was asked, also where rules answered in the end. */
  readonly model: AskedModel | undefined;
}

/** An answer of the rules. */
export function byRules(
  reading: Understanding | undefined,
  given: Partial<Pick<QuestionAnswer, 'refusal' | 'result'>>,
): QuestionAnswer {
  return { method: 'rules', reading, refusal: undefined, result: undefined, warnings: [], model: undefined, ...given };
}

export const REFUSAL_ADVICE =
  'Use names of columns and values of the tables (GET /datasets/{id}/tables), or write SQL.';
export const STATEMENT_REFUSED = {
  code: 'statement_refused',
  reason: 'The statement for the question does not fit the tables, which may have changed meanwhile. Ask again.',
} as const;
