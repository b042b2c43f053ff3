import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Answer, Choice, ListQueryDto, PageOf, Text } from '#libs/http';
import { RATINGS, type Rating } from './question-outcome.entity.js';
import { REFUSAL_CODES, type RefusalCode } from '../turn/refusals.js';

const MAX_REASON = 2_000;
/** Characters; the same maximum as that of `expected_answer` of an evaluation case. */
const MAX_EXPECTED = 16_384;

/** The caller's feedback on an answer. */
export class FeedbackRequest {
  /** Rating: thumb up or down. */
  @Choice(RATINGS)
  rating!: Rating;

  /** Reason for the rating. Shown to members who may review the questions of the datasets. null or left out: none. */
  @Text({ optional: true, nullable: true, max: MAX_REASON })
  reason?: string | null;

  /**
   * The answer that would have been expected; becomes the expected answer of an evaluation case that is made from the question. null or left out:
   * none.
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_EXPECTED, pattern: '\\S' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_EXPECTED)
  @Matches(/\S/u, { message: 'expected must contain more than white space' })
  expected?: string | null;
}

/** The caller's stored feedback on an answer. */
export class RequestFeedback {
  /** Identifier of the rated request. */
  request_id!: string;

  /** Rating: thumb up or down. */
  @Answer.Choice(RATINGS)
  rating!: Rating;

  /** Reason for the rating; null where none was given. */
  @Answer.Text({ nullable: true })
  reason!: string | null;

  /** The answer that would have been expected; null where none was given. */
  @Answer.Text({ nullable: true })
  expected!: string | null;

  /** Time of the rating. */
  @Answer.Instant()
  created_at!: string;
}

export const QUESTION_ORDERS = ['-last_asked_at', 'last_asked_at', '-count', 'count'] as const;
export type QuestionOrder = (typeof QUESTION_ORDERS)[number];
export const QUESTION_OUTCOMES = ['refused', 'rated_down'] as const;
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number];

/** Filter and order of the questions of a dataset. */
export class ListQuestionsQuery extends ListQueryDto {
  /** Only questions that were refused, or only those with a negatively rated answer. Default: both. */
  @Choice(QUESTION_OUTCOMES, { optional: true })
  outcome?: QuestionOutcome;

  /** Order of the rows; a minus sign means descending. `count` is the sum of `refused` and `rated_down`. */
  @Choice(QUESTION_ORDERS, { query: true, default: '-last_asked_at' })
  order_by: QuestionOrder = '-last_asked_at';
}

/** Feedback of a person on an answer to their own question. */
export class QuestionRemark {
  /** Reason for the negative rating; null where none was given. */
  @Answer.Text({ nullable: true })
  reason!: string | null;

  /** The answer that would have been expected; null where none was given. */
  @Answer.Text({ nullable: true })
  expected!: string | null;

  /** Time of the rating. */
  @Answer.Instant()
  created_at!: string;
}

/**
 * The beginning of an evaluation case, in the form that `add` of `PATCH /evaluations/case-sets/{case_set_id}` takes. Where `expected_answer` is
 * null, `relevant` or `"answerable": false` must be added.
 */
export class QuestionCase {
  /** The question. */
  query!: string;

  /** The newest expected answer of the feedback; null where there is none. */
  @Answer.Text({ nullable: true })
  expected_answer!: string | null;

  /** Tags of the case: `refused`, `rated_down` or both. */
  @Answer.Texts()
  tags!: string[];
}

/**
 * A question that was refused or whose answer was rated down, however often. Questions that differ only in case, white space and punctuation at
 * the ends count as one.
 */
export class DatasetQuestion {
  /** Identifier of the question; changes when the question is asked again. */
  @Answer.Uuid()
  id!: string;

  /**
   * The newest wording of the question that the caller may read: the caller's own, or with `conversations:review` and sight of every dataset that
   * was asked. null where there is none.
   */
  @Answer.Text({ nullable: true })
  question!: string | null;

  /** Number of refusals of the question. */
  @Answer.Count()
  refused!: number;

  /** Number of negatively rated answers to the question. */
  @Answer.Count()
  rated_down!: number;

  /** Codes of the refusals of the question, each once. */
  @Answer.Choices(REFUSAL_CODES)
  refusal_codes!: RefusalCode[];

  /** Time at which the question was last refused or rated. */
  @Answer.Instant()
  last_asked_at!: string;

  /** Feedback on the answers: the newest five entries that the caller may read. */
  @Answer.NestedList(QuestionRemark)
  remarks!: QuestionRemark[];

  /** Beginning of an evaluation case made from the question; null where the wording is not shown. */
  @Answer.Nested(QuestionCase, { nullable: true })
  case!: QuestionCase | null;
}

/** A page of the questions of a dataset. */
export class DatasetQuestionPage extends PageOf(DatasetQuestion, {
  items: 'Questions of this page.',
  total: 'Number of questions that match.',
}) {}
