import { Answer } from '#libs/http';
import { MISSING_KINDS, type MissingKind } from '#libs/answering';

export const ANSWER_MEASURES = ['answered', 'evidence'] as const;
export type AnswerMeasureName = (typeof ANSWER_MEASURES)[number];
/** Codes of refusals that are known from the search of a chat and from a model that quotes, without calling a model that writes. */
export const OUTLOOK_REFUSALS = ['NO_RESULTS', 'INSUFFICIENT_EVIDENCE', 'NOT_ANSWERED'] as const;

/** The measure that decides whether a chat answers, and its minimum. */
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

  /** Minimum of `value`; with a lower value the question is refused. */
  @Answer.Share()
  bar!: number;
}

/** Whether a chat would answer from the results of the search. */
export class ExplainedAnswer {
  /** Whether the question is refused. If false, a model that writes may still decline to answer. */
  @Answer.Flag()
  is_refused!: boolean;

  /** Reason for the refusal, as in `refusal.code` of a chat; null when the question is not refused. */
  @Answer.Choice(OUTLOOK_REFUSALS, { nullable: true })
  code!: (typeof OUTLOOK_REFUSALS)[number] | null;

  /**
   * Measure that decides, with its minimum `bar`. With `NOT_ANSWERED` the minimum was reached, but the model that quotes found no sentence that
   * answers.
   */
  @Answer.Nested(AnswerMeasure)
  measure!: AnswerMeasure;

  /** Kind of the missing information, as in `refusal.missing` of a chat; null when the question is not refused. */
  @Answer.Choice(MISSING_KINDS, { nullable: true })
  missing!: MissingKind | null;

  /**
   * Words of the query that the nearest passage does not contain, as in `refusal.missing_words` of a chat; empty when the question is not
   * refused.
   */
  @Answer.Texts()
  missing_words!: string[];
}
