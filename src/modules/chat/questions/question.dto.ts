import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IfPresent, ListQueryDto } from '#libs/http';
import { RATINGS, type Rating } from './question-outcome.entity.js';
import { REFUSAL_CODES, type RefusalCode } from '../turn/refusals.js';

const MAX_REASON = 2_000;
/** As long as `expected_answer` of an evaluation case may be. */
const MAX_EXPECTED = 16_384;
const COUNT = { type: 'integer', minimum: 0 } as const;
const MOMENT = { format: 'date-time' } as const;

/** What the caller says of an answer. */
export class FeedbackRequest {
  /** Thumb up or down. */
  @ApiProperty({ enum: RATINGS })
  @IsIn(RATINGS)
  rating!: Rating;

  /** Why. Those who may review the questions of the datasets read it. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_REASON })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_REASON)
  reason?: string | null;

  /** What should have been answered; the expected answer of an evaluation case that is made of it. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_EXPECTED, pattern: '\\S' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_EXPECTED)
  @Matches(/\S/u, { message: 'expected must hold more than white space' })
  expected?: string | null;
}

/** What the caller has said of an answer. */
export class RequestFeedback {
  /** The request that it is about. */
  request_id!: string;

  /** Thumb up or down. */
  @ApiProperty({ enum: RATINGS })
  rating!: Rating;

  /** Why. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** What should have been answered. */
  @ApiProperty({ type: String, nullable: true })
  expected!: string | null;

  /** When it was said. */
  @ApiProperty(MOMENT)
  created_at!: string;
}

export const QUESTION_ORDERS = ['-last_asked_at', 'last_asked_at', '-count', 'count'] as const;
export type QuestionOrder = (typeof QUESTION_ORDERS)[number];
export const QUESTION_OUTCOMES = ['refused', 'rated_down'] as const;
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number];

/** Filter and order of the questions of a dataset. */
export class ListQuestionsQuery extends ListQueryDto {
  /** Only questions that were refused, or only those whose answer was rated down. Default: both. */
  @ApiPropertyOptional({ enum: QUESTION_OUTCOMES })
  @IfPresent()
  @IsIn(QUESTION_OUTCOMES)
  outcome?: QuestionOutcome;

  /** Order of the rows; a minus sign means descending. `count` is `refused` and `rated_down` together. */
  @ApiPropertyOptional({ enum: QUESTION_ORDERS, default: '-last_asked_at' })
  @IsOptional()
  @IsIn(QUESTION_ORDERS)
  order_by: QuestionOrder = '-last_asked_at';
}

/** What somebody who asked said of an answer. */
export class QuestionRemark {
  /** Why it was rated down. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** What should have been answered. */
  @ApiProperty({ type: String, nullable: true })
  expected!: string | null;

  /** When it was said. */
  @ApiProperty(MOMENT)
  created_at!: string;
}

/**
 * The beginning of an evaluation case, for `add` of `PATCH /evaluations/case-sets/{case_set_id}` as it is. Where `expected_answer` is null, `relevant`
 * or `"answerable": false` belongs to it as well.
 */
export class QuestionCase {
  /** The question. */
  query!: string;

  /** The newest answer that was said to be expected. */
  @ApiProperty({ type: String, nullable: true })
  expected_answer!: string | null;

  /** `refused`, `rated_down` or both. */
  @ApiProperty({ type: [String] })
  tags!: string[];
}

/** A question that was refused or whose answer was rated down, however often. Questions are the same where only case, white space and marks at the ends differ. */
export class DatasetQuestion {
  /** Changes when it is asked again. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /**
   * What was searched for, as the newest of those asked whose words the caller may read: he has asked himself, or he has
   * `conversations:review` and sees every dataset that was asked. Else null.
   */
  @ApiProperty({ type: String, nullable: true })
  question!: string | null;

  /** How often it was refused. */
  @ApiProperty(COUNT)
  refused!: number;

  /** How many answers to it are rated down. */
  @ApiProperty(COUNT)
  rated_down!: number;

  /** Why it was refused, each reason once. */
  @ApiProperty({ enum: REFUSAL_CODES, isArray: true })
  refusal_codes!: RefusalCode[];

  /** When it was refused or rated last. */
  @ApiProperty(MOMENT)
  last_asked_at!: string;

  /** What was said of its answers, the newest five that the caller may read. */
  @ApiProperty({ type: [QuestionRemark] })
  remarks!: QuestionRemark[];

  /** null where the words are not shown. */
  @ApiProperty({ type: QuestionCase, nullable: true })
  case!: QuestionCase | null;
}

/** A page of the questions of a dataset. */
export class DatasetQuestionPage {
  /** The questions of this page. */
  @ApiProperty({ type: [DatasetQuestion] })
  items!: DatasetQuestion[];

  /** Number of questions that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows that were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Most rows of a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
