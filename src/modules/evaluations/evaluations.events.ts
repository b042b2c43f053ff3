import { defineEvent } from '#libs/events';

export interface EvaluationCompleted {
  readonly evaluation_id: string;
  /** Datasets of the evaluation; callers that do not see all of them do not see it. */
  readonly dataset_ids: readonly string[];
  /** `pass`, `fail` or `inconclusive`; null where it had no gates. */
  readonly verdict: string | null;
  readonly cases: number;
  readonly variants: number;
}

/** An evaluation is completed, and its report can be read. */
export const EVALUATION_COMPLETED = defineEvent<EvaluationCompleted>({
  type: 'evaluation.completed',
  version: 1,
  publisher: 'evaluations',
  subject: 'evaluation_id',
});
