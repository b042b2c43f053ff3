import { ApiProperty } from '@nestjs/swagger';
import { MISSING_KINDS, type MissingKind } from '#libs/answering';

const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;

export const ANSWER_MEASURES = ['answered', 'evidence'] as const;
export type AnswerMeasureName = (typeof ANSWER_MEASURES)[number];
/** Why a chat does not answer, as far as its search and a model that quotes tell. */
export const OUTLOOK_REFUSALS = ['NO_RESULTS', 'INSUFFICIENT_EVIDENCE', 'NOT_ANSWERED'] as const;

/** What decides whether a chat answers, and the bar that it must reach. */
export class AnswerMeasure {
  /**
   * `answered`: how far the found fragments answer the question; used for a model that quotes. `evidence`: the share of the question's
   * words that the fragments contain; used for a model that writes, which can decline by itself.
   */
  @ApiProperty({ enum: ANSWER_MEASURES })
  name!: AnswerMeasureName;

  /** Measured value, 0 to 1. */
  @ApiProperty(SHARE)
  value!: number;

  /** Minimum; the question is refused with a lower value. */
  @ApiProperty(SHARE)
  bar!: number;
}

/** What a chat makes of the search. */
export class ExplainedAnswer {
  /** Whether the question is refused. A model that writes may still decline when it is asked. */
  @ApiProperty({ type: Boolean })
  is_refused!: boolean;

  /** Reason of the refusal, as in `refusal.code` of a chat; null: not refused. */
  @ApiProperty({ enum: OUTLOOK_REFUSALS, nullable: true, type: String })
  code!: (typeof OUTLOOK_REFUSALS)[number] | null;

  /**
   * Measure that decides, with its `bar`. With `NOT_ANSWERED` the bar was reached, but the model that quotes found no sentence that
   * answers.
   */
  @ApiProperty({ type: AnswerMeasure })
  measure!: AnswerMeasure;

  /** Kind of the missing information, as in `refusal.missing` of a chat; null: not refused. */
  @ApiProperty({ enum: MISSING_KINDS, nullable: true, type: String })
  missing!: MissingKind | null;

  /** Words of the query that the nearest passage does not contain, as in `refusal.missing_words` of a chat; empty: not refused. */
  @ApiProperty({ type: [String] })
  missing_words!: string[];
}
