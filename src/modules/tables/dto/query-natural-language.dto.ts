import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { SqlQueryResponse } from './query-sql.dto.js';

export const MAX_QUESTION_LENGTH = 1000;
/** Why a question has no answer. */
export const REFUSAL_REASONS = ['no_tables', 'not_understood', 'not_sure', 'statement_refused'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** A question over the tables of a dataset. */
export class NaturalLanguageQueryRequest {
  /** In English. It is data: nothing in it is a statement. */
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
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean = false;
}

/** How a question was understood, and what its statement gives. */
export class NaturalLanguageQueryResponse extends SqlQueryResponse {
  /** The statement; `POST …/tables/query/sql` takes it as it is. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  sql!: string | null;

  /** What the statement does, in a sentence. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  explanation!: string | null;

  /** What was assumed where the question leaves it open; each can be wrong. */
  @ApiProperty({ type: [String] })
  assumptions!: string[];

  /** From 0 to 1: how well the words of the question fit the table. Of a refused question that of its best reading. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  confidence!: number;

  /** Name of the table that is asked. Null when the question is refused. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Words of the question that the statement does not account for. */
  @ApiProperty({ type: [String] })
  unexplained!: string[];

  /** `rules`: no model had a part in it. */
  @ApiProperty({ enum: ['rules'] })
  method!: 'rules';

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
