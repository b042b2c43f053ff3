import { Answer, Choice, Flag, Text } from '#libs/http';
import { SqlQueryResponse } from '../sql/query-sql.dto.js';

export const MAX_QUESTION_LENGTH = 1000;
/** Why a question has no answer. */
export const REFUSAL_REASONS = [
  'no_tables',
  'not_understood',
  'not_sure',
  'condition_not_understood',
  'ambiguous',
  'not_in_tables',
  'statement_refused',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
export const QUESTION_METHODS = ['auto', 'rules', 'model'] as const;
export type QuestionMethod = (typeof QUESTION_METHODS)[number];
export const QUESTION_WARNINGS = [
  'model_failed',
  'model_timeout',
  'model_budget',
  'model_context',
  'model_statement_refused',
  'tables_changed',
  'nothing_found',
  'schema_pruned',
] as const;
export type QuestionWarningCode = (typeof QUESTION_WARNINGS)[number];

/** A question over the tables of a dataset. */
export class NaturalLanguageQueryRequest {
  /**
   * The question: in English, German, French or Spanish where rules answer, otherwise in any language that the chat model reads. It is
   * treated as data; nothing in it is executed as a statement.
   */
  @Text({ filled: true, max: MAX_QUESTION_LENGTH, example: 'Which region has the highest total amount?' })
  question!: string;

  /** Whether to return only the statement, without its rows. */
  @Flag({ optional: true, default: false })
  dry_run?: boolean = false;

  /**
   * Method by which the statement is written. `auto`: by the rules where they are sure, otherwise by the chat model if one that writes text is
   * configured. `rules`: by the rules only. `model`: by the chat model first; 422 where none is configured. Where the model fails, the rules
   * answer with a warning.
   */
  @Choice(QUESTION_METHODS, { name: 'TableQuestionMethod', optional: true, default: 'auto' })
  method?: QuestionMethod = 'auto';
}

/** The chat model that was called. */
export class QuestionModelView {
  /** Provider and name of the model. */
  @Answer.Text({ example: 'openai/gpt-5-mini' })
  name!: string;

  /** Version of the model's instructions; increases with every change of them. */
  @Answer.Integer()
  prompt_version!: number;

  /** Number of calls of the model, at most two. */
  @Answer.Integer({ min: 0, max: 2 })
  calls!: number;
}

/** A warning about the answer. */
export class QuestionWarningView {
  /** Code of the warning. */
  @Answer.Choice(QUESTION_WARNINGS, { name: 'TableQuestionWarning' })
  code!: QuestionWarningCode;

  /** What the warning is about, in a sentence. */
  @Answer.Text()
  detail!: string;
}

/** The reading of a question, with the result of its statement. */
export class NaturalLanguageQueryResponse extends SqlQueryResponse {
  /** The SQL statement; `POST …/tables/query/sql` accepts it unchanged. null when the question is refused. */
  @Answer.Text({ nullable: true })
  sql!: string | null;

  /** What the statement does, in a sentence; in the chat model's words where it wrote the statement. null when the question is refused. */
  @Answer.Text({ nullable: true })
  explanation!: string | null;

  /** Assumptions made where the question is ambiguous; each may be wrong. */
  @Answer.Texts()
  assumptions!: string[];

  /**
   * Confidence in the reading of the question, 0 to 1. With `rules`: the share of readings with this fit that are right, measured on questions
   * with known answers (0.9 means nine of ten). With `model`: an estimate, not measured, from the sureness that the model states, lowered where
   * its statement had to be repaired or finds nothing. For a refused question: the confidence in its best reading.
   */
  @Answer.Share()
  confidence!: number;

  /** Name of the table that is queried, the first of `tables`; null when the question is refused. */
  @Answer.Text({ nullable: true })
  table!: string | null;

  /** Names of all tables that the statement reads. */
  @Answer.Texts()
  tables!: string[];

  /** Words of the question that the statement does not account for. A word that may restrict rows leads to a refusal (`condition_not_understood`). */
  @Answer.Texts()
  unexplained!: string[];

  /** Method that wrote the statement or refused the question. */
  @Answer.Choice(['rules', 'model'])
  method!: 'rules' | 'model';

  /** The chat model that was called, also where the rules gave the answer in the end; null where none was called. */
  @Answer.Nested(QuestionModelView, { nullable: true })
  model!: QuestionModelView | null;

  /** Warnings about the answer; empty if there are none. */
  @Answer.NestedList(QuestionWarningView)
  warnings!: QuestionWarningView[];

  /** Whether the statement was executed and its rows are included: false for a dry run and for a refused question. */
  @Answer.Flag()
  executed!: boolean;

  /** Whether the question is refused; `reason_code` says why. */
  @Answer.Flag()
  refused!: boolean;

  /** Code of the refusal; null unless the question is refused. */
  @Answer.Choice(REFUSAL_REASONS, { name: 'TableQuestionRefusal', nullable: true })
  reason_code!: RefusalReason | null;

  /** Why the question is refused and what to do, in a sentence; null unless it is refused. */
  @Answer.Text({ nullable: true })
  reason!: string | null;
}
