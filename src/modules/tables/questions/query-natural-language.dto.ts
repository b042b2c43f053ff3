import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { IfPresent } from '#libs/http';
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
  /** In English where rules answer, else in any language that the chat model reads. It is data: nothing in it is a statement. */
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_QUESTION_LENGTH,
    pattern: '\\S',
    example: 'Which region has the highest total amount?',
  })
  @IsString()
  @MaxLength(MAX_QUESTION_LENGTH)
  @Matches(/\S/u, { message: 'question must hold more than white space' })
  question!: string;

  /** Whether only the statement is wanted, without its rows. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IfPresent()
  @IsBoolean()
  dry_run?: boolean = false;

  /**
   * Who makes the statement. `auto`: the rules where they are sure, else the chat model where one is configured that writes. `rules`: no
   * model is asked. `model`: the chat model is asked first; 422 where none is configured. Where it fails, the rules answer with a warning.
   */
  @ApiPropertyOptional({ enum: QUESTION_METHODS, enumName: 'TableQuestionMethod', default: 'auto' })
  @IfPresent()
  @IsIn(QUESTION_METHODS)
  method?: QuestionMethod = 'auto';
}

/** The chat model that was asked. */
export class QuestionModelView {
  /** Provider and model. */
  @ApiProperty({ type: String, example: 'openai/gpt-5-mini' })
  name!: string;

  /** Goes up with every change of what a model is told. */
  @ApiProperty({ type: 'integer' })
  prompt_version!: number;

  /** How often it was asked: at most twice. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 2 })
  calls!: number;
}

/** What went otherwise than usual. */
export class QuestionWarningView {
  @ApiProperty({ enum: QUESTION_WARNINGS, enumName: 'TableQuestionWarning' })
  code!: QuestionWarningCode;

  @ApiProperty({ type: String })
  detail!: string;
}

/** How a question was understood, and what its statement gives. */
export class NaturalLanguageQueryResponse extends SqlQueryResponse {
  /** The statement; `POST …/tables/query/sql` takes it as it is. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  sql!: string | null;

  /** What the statement does, in a sentence; the chat model's words where it wrote the statement. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  explanation!: string | null;

  /** What was assumed where the question leaves it open; each can be wrong. */
  @ApiProperty({ type: [String] })
  assumptions!: string[];

  /**
   * From 0 to 1. Of the rules: how often readings that fit the table so well are right, measured on questions with known answers (0.9 means
   * nine of ten). Of a chat model: how sure it is, less where its statement had to be repaired or finds nothing; that is not measured. Of a
   * refused question that of its best reading.
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  confidence!: number;

  /** Name of the table that is asked, the first of `tables`. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Names of all tables that the statement reads. */
  @ApiProperty({ type: [String] })
  tables!: string[];

  /** Words of the question that the statement does not account for. One that may restrict rows makes a refusal (`condition_not_understood`). */
  @ApiProperty({ type: [String] })
  unexplained!: string[];

  /** Who made the statement, or refused the question. */
  @ApiProperty({ enum: ['rules', 'model'] })
  method!: 'rules' | 'model';

  /** The chat model that was asked, also where the rules answered in the end; null: none was. */
  @ApiProperty({ type: QuestionModelView, nullable: true })
  model!: QuestionModelView | null;

  @ApiProperty({ type: [QuestionWarningView] })
  warnings!: QuestionWarningView[];

  /** Whether the rows are those of the statement: false for a dry run and for a refused question. */
  @ApiProperty({ type: Boolean })
  executed!: boolean;

  /** Whether no reading of the question is good enough for an answer. */
  @ApiProperty({ type: Boolean })
  refused!: boolean;

  /** Null unless the question is refused. */
  @ApiProperty({ enum: REFUSAL_REASONS, enumName: 'TableQuestionRefusal', nullable: true })
  reason_code!: RefusalReason | null;

  /** Why it is refused, and what to do, in a sentence; null unless it is. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
}
