import { Answer } from '#libs/http';
import { MISSING_KINDS, type MissingKind } from '#libs/answering';

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
  @Answer.Choice(ANSWER_MEASURES)
  name!: AnswerMeasureName;

  /** Measured value, 0 to 1. */
  @Answer.Share()
  value!: number;

  /** Minimum; the question is refused with a lower value. */
  @Answer.Share()
  bar!: number;
}

/** What a chat makes of the search. */
export class ExplainedAnswer {
  /** Whether the question is refused. A model that writes may still decline when it is asked. */
  @Answer.Flag()
  is_refused!: boolean;

  /** Reason of the refusal, as in `refusal.code` of a chat; null: not refused. */
  @Answer.Choice(OUTLOOK_REFUSALS, { nullable: true })
  code!: (typeof OUTLOOK_REFUSALS)[number] | null;

  /**
   * Measure that decides, with its `bar`. With `NOT_ANSWERED` the bar was reached, but the model that quotes found no sentence that
   * answers.
   */
  @Answer.Nested(AnswerMeasure)
  measure!: AnswerMeasure;

  /** Kind of the missing information, as in `refusal.missing` of a chat; null: not refused. */
  @Answer.Choice(MISSING_KINDS, { nullable: true })
  missing!: MissingKind | null;

  /** Words of the query that the nearest passage does not contain, as in `refusal.missing_words` of a chat; empty: not refused. */
  @Answer.Texts()
  missing_words!: string[];
}
