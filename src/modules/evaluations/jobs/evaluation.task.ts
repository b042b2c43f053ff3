import type { JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface EvaluationPayload {
  readonly jobId: string;
}

/** Runs one evaluation, with the current permissions of its requester. */
export const EVALUATION = defineTask<EvaluationPayload>({
  kind: 'evaluation',
  longestUnit: 'one case under one variant, the trial of one change, or the figures of one job',
  isSliced: true,
  needsSpace: true,
  permission: 'evaluations:run',
  mostTries: 10,
  parse: (payload: JsonObject) => ({ jobId: readId(payload, 'jobId') }),
});
